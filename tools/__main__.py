"""`python -m tengen.tools` is the `tengen` command."""

import sys

from tengen.tools.cli import main

sys.exit(main())
