"""`perturb play`: a page to try perturbators on, served to this machine alone. Private."""
