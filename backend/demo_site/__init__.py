"""Our own website: friendly, dynamic and hostile. See `docs/demo-site.md`.

`with DemoSite() as site:` runs it in a thread; `with SiteProcess() as site:` in a process; `truth` knows every value.
"""

from backend.demo_site.options import SiteOptions
from backend.demo_site.process import SiteProcess
from backend.demo_site.server import DemoSite

__all__ = ["DemoSite", "SiteOptions", "SiteProcess"]
