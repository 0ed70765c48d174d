"""The version of the package, of its contract, and of its random numbers. Private."""

__version__ = "0.2.0"
# Whether the package index has it. Until then, pages and messages say how it is installed from a
# checkout.
PUBLISHED = False

# What records and rows look like and promise. Records hold it.
CONTRACT = 4
# What every random number hangs on besides the seed: another number here changes all of them.
# It is not the contract, so that a record written under an older one can still be made again.
STREAMS = 1
