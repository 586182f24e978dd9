"""What a page asks for and we do not fetch: it costs much and changes no text."""

FILE_KINDS = (
    *("woff", "woff2", "ttf", "otf", "eot"),
    *("mp4", "webm", "ogv", "mov", "avi", "m4v", "mp3", "ogg", "wav", "m4a", "flac", "m3u8", "mpd", "ts"),
)
# Patterns as `Network.setBlockedURLs` takes them.
BLOCKED_FILES = tuple(f"*.{kind}{end}" for kind in FILE_KINDS for end in ("", "?*"))

# Sites that only watch people; a host below one of them is meant too.
TRACKERS = frozenset(
    """
    2mdn.net adform.net adnxs.com adsafeprotected.com adservice.google.com adsrvr.org amazon-adsystem.com
    amplitude.com analytics.tiktok.com app-measurement.com appsflyer.com bat.bing.com bluekai.com branch.io
    casalemedia.com chartbeat.com chartbeat.net clarity.ms cloudflareinsights.com connect.facebook.net crazyegg.com
    criteo.com criteo.net demdex.net doubleclick.net everesttech.net fullstory.com google-analytics.com
    googleadservices.com googlesyndication.com googletagmanager.com googletagservices.com heapanalytics.com
    hotjar.com hotjar.io hs-analytics.net krxd.net mathtag.com matomo.cloud mixpanel.com moatads.com mouseflow.com
    newrelic.com nr-data.net omtrdc.net openx.net outbrain.com parsely.com piwik.pro plausible.io
    px.ads.linkedin.com quantcount.com quantserve.com rlcdn.com rubiconproject.com scorecardresearch.com
    segment.com segment.io sentry.io snap.licdn.com statcounter.com static.ads-twitter.com taboola.com teads.tv
    tealiumiq.com yieldmo.com
    """.split()  # noqa: SIM905 - a list is read most easily without its quotes
)


def tracker_of(host: str) -> str:
    """The site of the list that a host belongs to; '' for one that does not only watch people."""
    parts = host.lower().rstrip(".").split(".")
    sites = (".".join(parts[place:]) for place in range(len(parts) - 1))
    return next((site for site in sites if site in TRACKERS), "")
