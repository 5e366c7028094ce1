"""`python -m trivet`: the command line where the script `trivet` is not on the path."""

import sys

from trivet.cli import main

if __name__ == "__main__":
    sys.exit(main())
