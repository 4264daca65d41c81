"""Words of other European languages as the guard needs them."""

from wrapgen.pipeline.guard.lexicon import words

# Words whose presence on one side alone turns the meaning round.
NEGATIONS = words(
    """
    не нет без ни nicht kein keine keinen ohne nie pas sans jamais aucun aucune sin ningún ninguna nunca ikke uden
    """
)
