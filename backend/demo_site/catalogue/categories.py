"""The kinds of things in the catalogue: how they are called, what they are made of, what they cost."""

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class Span:
    """A specification that is a number with a unit, such as `3500 MB/s`."""

    low: int
    high: int
    step: int
    unit: str

    def pick(self, random: Random) -> str:
        return f"{random.randrange(self.low, self.high + 1, self.step)} {self.unit}"


@dataclass(frozen=True, slots=True)
class Category:
    """One shelf of the shop. `variants` maps what one model is offered in to the factor it has on the price."""

    slug: str
    title: str
    german_title: str
    noun: str
    intro: str
    name_pattern: str
    series: tuple[str, ...]
    variant_label: str
    variants: dict[str, float]
    specs: dict[str, tuple[str, ...] | Span]
    base_price: tuple[int, int]
    praise: tuple[str, ...]

    def spec(self, label: str, random: Random) -> str:
        """One value of this specification."""
        choices = self.specs[label]
        return choices.pick(random) if isinstance(choices, Span) else random.choice(choices)


CATEGORIES: tuple[Category, ...] = (
    Category(
        slug="ssd",
        title="SSDs",
        german_title="SSD-Festplatten",
        noun="SSD",
        intro="Solid state drives for laptops, desktops and consoles, from 250GB to 4TB.",
        name_pattern="{brand} {series} {model} SSD {variant}",
        series=("Pro", "Evo", "Nova", "Rapid", "Core"),
        variant_label="Capacity",
        variants={"250GB": 1.0, "500GB": 1.45, "1TB": 2.3, "2TB": 4.4, "4TB": 8.9},
        specs={
            "Interface": ("PCIe 4.0 NVMe", "PCIe 5.0 NVMe"),
            "Form factor": ("M.2 2280", "M.2 2242", "M.2 2230"),
            "Read speed": Span(5000, 7400, 40, "MB/s"),
            "Write speed": Span(4200, 6900, 40, "MB/s"),
            "Endurance": Span(150, 2400, 50, "TBW"),
        },
        base_price=(29, 66),
        praise=("copies a season of holiday videos in seconds", "stays cool even in a cramped laptop"),
    ),
    Category(
        slug="phones",
        title="Phones",
        german_title="Smartphones",
        noun="phone",
        intro="Smartphones with bright screens, long battery life and honest cameras.",
        name_pattern="{brand} {series} {model} {variant}",
        series=("Phone", "Fold", "Mini", "Ultra"),
        variant_label="Storage",
        variants={"128GB": 1.0, "256GB": 1.18, "512GB": 1.46},
        specs={
            "Display": ("6.1 inch OLED", "6.4 inch OLED", "6.7 inch OLED", "5.8 inch LCD"),
            "Battery": Span(3400, 5600, 100, "mAh"),
            "Main camera": ("50 MP", "64 MP", "108 MP"),
            "Weight": Span(158, 238, 4, "g"),
            "Colour": ("Graphite", "Sea green", "Ivory", "Coral"),
        },
        base_price=(219, 1090),
        praise=("lasts two days between charges", "takes sharp pictures after sunset"),
    ),
    Category(
        slug="cameras",
        title="Cameras",
        german_title="Kameras",
        noun="camera",
        intro="Mirrorless and compact cameras for people who like to look twice.",
        name_pattern="{brand} {series} {model} Camera {variant}",
        series=("Lumen", "Reporter", "Studio", "Field"),
        variant_label="Kit",
        variants={"Body": 1.0, "with 18-55 mm lens": 1.22, "with 24-105 mm lens": 1.48},
        specs={
            "Sensor": ("Full frame", "APS-C", "Micro Four Thirds", "1 inch"),
            "Resolution": ("20 MP", "24 MP", "33 MP", "45 MP"),
            "Video": ("4K 30p", "4K 60p", "6K 30p"),
            "Viewfinder": ("OLED, 3.7 M dots", "OLED, 2.4 M dots", "none"),
            "Weight": Span(310, 880, 10, "g"),
        },
        base_price=(449, 2790),
        praise=("focuses faster than the eye", "feels right in a small hand"),
    ),
    Category(
        slug="laptops",
        title="Laptops",
        german_title="Notebooks",
        noun="laptop",
        intro="Light machines for the train, strong ones for the desk.",
        name_pattern="{brand} {series} {model} Laptop {variant}",
        series=("Air", "Book", "Flex", "Works"),
        variant_label="Configuration",
        variants={"16GB RAM, SSD 512GB": 1.0, "16GB RAM, SSD 1TB": 1.14, "32GB RAM, SSD 1TB": 1.33},
        specs={
            "Display": ("13.3 inch IPS", "14 inch OLED", "15.6 inch IPS", "16 inch IPS"),
            "Processor": ("8 cores, 4.4 GHz", "10 cores, 4.7 GHz", "6 cores, 4.1 GHz"),
            "Battery": Span(48, 92, 2, "Wh"),
            "Weight": Span(980, 2240, 20, "g"),
            "Ports": ("2 × USB-C, HDMI", "3 × USB-C", "USB-C, 2 × USB-A, HDMI, SD"),
        },
        base_price=(649, 1890),
        praise=("wakes up before the lid is open", "has a keyboard one wants to write on"),
    ),
    Category(
        slug="headphones",
        title="Headphones",
        german_title="Kopfhörer",
        noun="headphones",
        intro="Over-ear, on-ear and in-ear headphones, wired and wireless.",
        name_pattern="{brand} {series} {model} Headphones {variant}",
        series=("Quiet", "Stage", "Pulse", "Aria"),
        variant_label="Colour",
        variants={"black": 1.0, "white": 1.0, "midnight blue": 1.06},
        specs={
            "Type": ("Over-ear", "On-ear", "In-ear"),
            "Connection": ("Bluetooth 5.3", "Bluetooth 5.3 and cable", "Bluetooth 5.2"),
            "Noise cancelling": ("yes", "adaptive", "no"),
            "Battery life": Span(18, 60, 2, "h"),
            "Weight": Span(48, 320, 4, "g"),
        },
        base_price=(39, 420),
        praise=("turns a noisy office into a library", "never pinches, even with glasses"),
    ),
    Category(
        slug="monitors",
        title="Monitors",
        german_title="Monitore",
        noun="monitor",
        intro="Screens for work and play, from 24 to 34 inches.",
        name_pattern="{brand} {series} {model} Monitor {variant}",
        series=("View", "Canvas", "Edge", "Vista"),
        variant_label="Size",
        variants={"24 inch": 1.0, "27 inch": 1.4, "32 inch": 2.0, "34 inch ultrawide": 2.6},
        specs={
            "Resolution": ("1920 × 1080", "2560 × 1440", "3840 × 2160"),
            "Panel": ("IPS", "VA", "OLED"),
            "Refresh rate": ("60 Hz", "75 Hz", "144 Hz", "165 Hz"),
            "Brightness": Span(250, 600, 50, "cd/m²"),
            "Connections": ("HDMI, DisplayPort", "HDMI, DisplayPort, USB-C 90 W"),
        },
        base_price=(119, 430),
        praise=("shows text as crisp as print", "needs one cable for everything"),
    ),
    Category(
        slug="keyboards",
        title="Keyboards",
        german_title="Tastaturen",
        noun="keyboard",
        intro="Mechanical and quiet keyboards, compact or full size.",
        name_pattern="{brand} {series} {model} Keyboard {variant}",
        series=("Type", "Click", "Desk", "Script"),
        variant_label="Switches",
        variants={"linear": 1.0, "tactile": 1.0, "silent": 1.08},
        specs={
            "Layout": ("ISO German", "ANSI US", "ISO UK"),
            "Size": ("Full size", "Tenkeyless", "75 %"),
            "Connection": ("USB-C", "USB-C and Bluetooth", "2.4 GHz wireless"),
            "Keycaps": ("PBT", "ABS"),
            "Weight": Span(540, 1480, 20, "g"),
        },
        base_price=(49, 219),
        praise=("makes long letters a pleasure", "survived a cup of tea"),
    ),
    Category(
        slug="watches",
        title="Smartwatches",
        german_title="Smartwatches",
        noun="watch",
        intro="Watches that count steps, show the way and still tell the time.",
        name_pattern="{brand} {series} {model} Watch {variant}",
        series=("Trail", "Active", "Time", "Fit"),
        variant_label="Case",
        variants={"41 mm": 1.0, "45 mm": 1.09},
        specs={
            "Display": ("AMOLED, always on", "Memory LCD", "OLED"),
            "Battery life": Span(2, 28, 1, "days"),
            "Water resistance": ("5 ATM", "10 ATM"),
            "Navigation": ("GPS", "GPS, Galileo", "via phone"),
            "Strap": ("Silicone", "Nylon", "Leather"),
        },
        base_price=(99, 549),
        praise=("finds the trail when the trail is gone", "is charged on Sundays only"),
    ),
    Category(
        slug="routers",
        title="Routers",
        german_title="Router",
        noun="router",
        intro="Wi-Fi for flats, houses and gardens.",
        name_pattern="{brand} {series} {model} Router {variant}",
        series=("Link", "Mesh", "Gate", "Wave"),
        variant_label="Set",
        variants={"single": 1.0, "pack of 2": 1.8, "pack of 3": 2.5},
        specs={
            "Standard": ("Wi-Fi 6", "Wi-Fi 6E", "Wi-Fi 7"),
            "Speed": Span(1800, 9300, 300, "Mbit/s"),
            "Ports": ("4 × 1 Gbit/s", "1 × 2.5 Gbit/s, 4 × 1 Gbit/s", "2 × 2.5 Gbit/s"),
            "Range": Span(90, 320, 10, "m²"),
            "Power": Span(6, 24, 1, "W"),
        },
        base_price=(59, 289),
        praise=("reaches the shed at the end of the garden", "was set up in four minutes"),
    ),
    Category(
        slug="speakers",
        title="Speakers",
        german_title="Lautsprecher",
        noun="speaker",
        intro="Small boxes with a big room inside.",
        name_pattern="{brand} {series} {model} Speaker {variant}",
        series=("Room", "Go", "Stage", "Tone"),
        variant_label="Finish",
        variants={"oak": 1.12, "black": 1.0, "white": 1.0},
        specs={
            "Power": Span(10, 160, 10, "W"),
            "Connection": ("Bluetooth 5.2", "Wi-Fi and Bluetooth", "Line in and Bluetooth"),
            "Battery life": Span(8, 30, 2, "h"),
            "Protection": ("IP67", "IPX4", "none"),
            "Weight": Span(380, 5200, 20, "g"),
        },
        base_price=(35, 489),
        praise=("fills the kitchen without shouting", "sounds twice its size"),
    ),
)
