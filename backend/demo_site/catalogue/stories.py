"""What the magazine writes about: topics, each with its subjects, places, tasks and facts."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topic:
    """The words from which articles of one topic are written."""

    slug: str
    title: str
    subjects: tuple[str, ...]
    tasks: tuple[str, ...]
    pains: tuple[str, ...]
    places: tuple[str, ...]
    facts: tuple[str, ...]
    tags: tuple[str, ...]


TOPICS: tuple[Topic, ...] = (
    Topic(
        slug="photography",
        title="Photography",
        subjects=("available light", "the 35 mm lens", "street portraits", "night trains", "contact sheets", "fog"),
        tasks=("photograph strangers", "sort ten years of pictures", "print at home", "carry one lens for a year"),
        pains=("asking twice", "buying anything", "a darkroom", "regret"),
        places=("the harbour of Trieste", "a night bus in Riga", "the last photo lab of Graz", "Bergen in rain"),
        facts=(
            "A larger sensor does not make a better picture, but it forgives a worse evening.",
            "The eye reads contrast first and colour second, which is why black and white never went away.",
            "At 1/30 of a second a walking person becomes a gesture.",
            "Most pictures improve when the photographer takes one step forward.",
        ),
        tags=("cameras", "light", "travel", "craft"),
    ),
    Topic(
        slug="storage",
        title="Storage",
        subjects=("the family archive", "the 1TB SSD", "cold backups", "the shoebox of hard drives", "checksums"),
        tasks=("back up a household", "move four terabytes", "label a drive", "restore a lost folder"),
        pains=("the cloud", "losing a weekend", "swearing", "a server in the hallway"),
        places=("a data centre under a mountain", "my mother’s attic", "the national library", "a flooded basement"),
        facts=(
            "A backup that was never restored is a hope, not a backup.",
            "Flash cells forget slowly, and faster when they are warm.",
            "Three copies, two kinds of media, one of them elsewhere: the rule is old because it works.",
            "An SSD without power keeps its data for a year or two, a book for five hundred.",
        ),
        tags=("ssd", "backup", "data", "home"),
    ),
    Topic(
        slug="sound",
        title="Sound",
        subjects=("quiet rooms", "small speakers", "the return of the cable", "noise cancelling", "kitchen radios"),
        tasks=("place two speakers", "listen to an album", "measure silence", "repair a headphone"),
        pains=("moving the sofa", "a sound engineer", "foam panels", "reading forums"),
        places=("an empty concert hall", "a listening bar in Osaka", "a workshop in Leipzig", "the night train"),
        facts=(
            "Half of what we call bass is the room, and most of what we call treble is age.",
            "A carpet does more for a living room than a new amplifier.",
            "Noise cancelling is best at what is boring: engines, fans, the hum of a fridge.",
            "We hear direction with a precision of one degree and remember it for a lifetime.",
        ),
        tags=("headphones", "speakers", "listening", "rooms"),
    ),
    Topic(
        slug="networks",
        title="Home networks",
        subjects=("the router in the hallway", "mesh networks", "copper walls", "guest Wi-Fi", "slow evenings"),
        tasks=("reach the garden shed", "find the slow device", "explain a firewall", "wire an old house"),
        pains=("drilling", "calling the provider", "a second contract", "blinking lights"),
        places=("a farm without fibre", "a house from 1890", "an allotment garden", "a caravan in Friesland"),
        facts=(
            "A wet wall costs more signal than two dry ones.",
            "The fastest way to improve a network is to move the router one metre out of the cupboard.",
            "Most slow evenings are one machine that uploads photographs.",
            "Every repeater halves what it repeats, unless it has a radio of its own for the way back.",
        ),
        tags=("wifi", "routers", "home", "repair"),
    ),
    Topic(
        slug="work",
        title="Work",
        subjects=("the second screen", "loud keyboards", "meetings", "the standing desk", "paper notebooks"),
        tasks=("write before breakfast", "share one desk", "leave on time", "choose a keyboard"),
        pains=("an app", "a coach", "new year’s resolutions", "waking the baby"),
        places=("a library in Ghent", "the kitchen table", "an office with one window", "a train with bad Wi-Fi"),
        facts=(
            "People type faster on keyboards they chose, whatever they chose.",
            "A second screen helps until it holds the chat.",
            "The best hour of the day is the one nobody else has booked.",
            "Good chairs are invisible; bad ones are paid for twice.",
        ),
        tags=("keyboards", "monitors", "habits", "craft"),
    ),
    Topic(
        slug="outdoors",
        title="Outdoors",
        subjects=("paper maps", "the long way home", "winter batteries", "a watch that knows the way", "wet socks"),
        tasks=("cross a moor", "walk to work", "find north", "pack for three days"),
        pains=("a signal", "new boots", "a plan", "a rescue"),
        places=("the Jura in March", "the ring road of Ljubljana", "a hut without sockets", "the tidal flats"),
        facts=(
            "Cold takes a third of a battery’s charge and gives most of it back in a warm pocket.",
            "A map shows what is there; a route shows what somebody else did.",
            "Ten kilometres on a path are six beside it.",
            "The weather report is right about the day and wrong about the hour.",
        ),
        tags=("watches", "travel", "weather", "habits"),
    ),
    Topic(
        slug="repair",
        title="Repair",
        subjects=("cracked screens", "the screw that will not turn", "spare parts", "glue", "an honest warranty"),
        tasks=("open a phone", "replace a battery", "read a circuit", "keep a laptop for ten years"),
        pains=("special tools", "burning the table", "a degree", "tears"),
        places=("a repair café in Delft", "a market in Accra", "the back room of a watchmaker", "my bench"),
        facts=(
            "Most broken phones have a dirty socket, not a broken board.",
            "Heat opens what force destroys.",
            "A manual with pictures saves more devices than any law.",
            "The part costs nine euros and the courage to order it nothing at all.",
        ),
        tags=("repair", "phones", "laptops", "craft"),
    ),
    Topic(
        slug="screens",
        title="Screens",
        subjects=("grey on grey", "the end of the bezel", "reading at night", "calibrated colours", "old projectors"),
        tasks=("buy a monitor", "rest tired eyes", "match a print", "watch less"),
        pains=("a laboratory", "blue filters", "headaches", "a bigger desk"),
        places=("a cinema with nine seats", "a print shop in Lyon", "a control room", "the back of a classroom"),
        facts=(
            "The size of a screen matters less than its distance.",
            "Two people never see the same red, but they agree on the wrong one.",
            "A matt surface hides the window and a little of the picture.",
            "Sixty pictures a second are enough to read by and too few to catch a ball.",
        ),
        tags=("monitors", "eyes", "colour", "light"),
    ),
)
