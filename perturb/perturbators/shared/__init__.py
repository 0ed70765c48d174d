"""What several families of perturbators use. Private."""
