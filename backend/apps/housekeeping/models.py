"""What was deleted and still has rows in the large tables."""

from django.db import models

from backend.apps.model_parts import one_of


class DisposalKind(models.TextChoices):
    RUNNER = "runner"
    CRAWLER = "crawler"


class Disposal(models.Model):
    """A runner or crawler that is no more; its rows are swept in batches, and this row goes with the last of them."""

    kind = models.CharField(max_length=10, choices=DisposalKind.choices)
    target = models.BigIntegerField(help_text="The id that the row had.")
    crawler = models.BigIntegerField(help_text="The id of the runner's crawler, or the crawler's own.")
    position = models.BigIntegerField(default=0, help_text="Documents up to this id have been looked at.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            one_of("disposal", "kind", DisposalKind),
            models.UniqueConstraint(fields=["kind", "target"], name="disposal_once"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.target}"
