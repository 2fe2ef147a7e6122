"""`python -m tengen` is the `tengen` command."""

import sys

from tengen.tools.cli import main

sys.exit(main())
