"""Texts that no API of ToolBench or of the demo fits: chit-chat, feelings, private errands, things to do with one's
hands, questions about nothing, and noise. A search that knows its limits finds nothing for them."""

OUT_OF_DOMAIN = tuple(
    """
    I had such a strange dream last night and cannot stop thinking about it
    why does nobody ever listen to me
    my sister and I are not speaking at the moment, how do I apologise to her
    do you ever feel lonely
    thank you so much, you are wonderful
    I am bored out of my mind
    are you a human being or a machine pretending to be one
    what would you have done in my place
    please be nicer to me from now on
    hmm, not sure about that
    okay then, never mind
    that was not what I meant at all
    I disagree with everything you just said
    tell me honestly whether I am ugly
    should I forgive my father
    how do I stop biting my fingernails
    my knees ache whenever I climb the stairs
    the dog has chewed up my slippers again
    help me fold a fitted bed sheet
    unclog the kitchen sink for me
    water my plants while I am away
    pick up my shirts from the dry cleaner
    iron the curtains before grandmother arrives
    sew a button back on my coat
    hold my hand, I am afraid
    walk the dog around the block twice
    put the bins out tonight
    remind my husband that he snores
    the zip of my trousers is stuck
    scrub the bathtub until it shines
    how do I get red wine stains out of a white carpet
    sharpen this pencil
    the wallpaper in the hallway is peeling off
    teach me to whistle with two fingers
    my left shoe squeaks
    carve a wooden spoon out of birch
    knit a scarf with a cable pattern
    tune my grandmother's violin by ear
    braid my daughter's hair before school
    how long should sourdough rest before kneading it again
    which of my two suits should I wear to the funeral
    is there any meaning in suffering
    do fish get thirsty
    if a tree falls and nobody hears it, did it make a sound
    can God make a stone too heavy to lift
    who would win, a hundred ducks or one bear
    why is there something rather than nothing
    what is it like to be a bat
    is it wrong to lie to a dying man
    do we really have free will
    asdf qwer zxcv uiop
    blorple frandish quexing the snorf
    lkjhgf mnbvcx poiuyt
    xqzzt wvvrk jjpqd
    grumblewick fizzlebanger wobblesnatch
    hfjdks ajfkdl eiwoqp vnmcxz
    la la la la la
    aaaaaaaaaaaaaaaaaaaaa
    zzz brrr ugh pfft
    tra la la boom de ay
    """.strip().splitlines()
)
OUT_OF_DOMAIN = tuple(text.strip() for text in OUT_OF_DOMAIN)
