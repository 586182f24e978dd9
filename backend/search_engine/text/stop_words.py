"""Function words per language: short lists, so that no word that carries meaning is lost."""

from typing import Final

STOP_WORDS: Final[dict[str, frozenset[str]]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": """
            a about above after again against all am an and any are aren't as at be because been before
            being below between both but by can can't cannot could couldn't did didn't do does doesn't
            doing don't down during each few for from further had hadn't has hasn't have haven't having he
            he'd he'll he's her here here's hers herself him himself his how how's i i'd i'll i'm i've if
            in into is isn't it it's its itself let's me more most mustn't my myself no nor not of off on
            once only or other ought our ours ourselves out over own same shan't she she'd she'll she's
            should shouldn't so some such than that that's the their theirs them themselves then there
            there's these they they'd they'll they're they've this those through to too under until up
            very was wasn't we we'd we'll we're we've were weren't what what's when when's where where's
            which while who who's whom why why's will with won't would wouldn't you you'd you'll you're
            you've your yours yourself yourselves
            """,
        "de": """
            aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes
            auch auf aus bei bin bis bist da damit dann das dass daß dasselbe dazu dein deine deinem
            deinen deiner dem den denn der derer des dessen dich die dies diese diesem diesen dieser
            dieses dir doch dort du durch ein eine einem einen einer eines einige er es etwas euch euer
            eure für gegen gewesen hab habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr
            ihre ihrem ihren ihrer im in indem ins ist jede jedem jeden jeder jedes jene jetzt kann kein
            keine können könnte machen man manche mein meine mich mir mit muss musste nach nicht nichts
            noch nun nur ob oder ohne sehr sein seine seinem seinen seiner selbst sich sie sind so solche
            soll sollte sondern sonst über um und uns unser unsere unter viel vom von vor während war
            waren warst was weil welche welcher wenn werde werden wie wieder will wir wird wirst wo wollen
            wollte würde würden zu zum zur zwar zwischen
            """,
        "fr": """
            à ai aie aient aies ait as au aura aurait aux avait avec avez avons ayant c'est ce ceci cela
            celle celles celui ces cet cette ceux comme d dans de des du elle elles en es est et étaient
            était été êtes être eu eux fait fut il ils j je l la le les leur leurs lui m ma mais me même
            mes moi mon n ne ni nos notre nous on ont ou où par pas pour qu que quel quelle quelles quels
            qui s sa sans se sera serait ses si soit sommes son sont sous sur t ta te tes toi ton tous
            tout toute toutes tu un une vos votre vous y
            """,
        "es": """
            a al algo algunas algunos ante antes aquel aquella como con contra cual cuando de del desde
            donde durante e el él ella ellas ellos en entre era eran es esa esas ese eso esos esta está
            están estas este esto estos fue fueron ha había han hasta hay la las le les lo los más me mi
            mis mucho muchos muy nada ni no nos nosotros o os otra otras otro otros para pero poco por
            porque que qué quien quienes se sea ser si sí sin sobre son su sus también tanto te tiene
            tienen todo todos tu tú tus un una uno unos y ya yo
            """,
        "it": """
            a ad agli ai al alla alle allo anche c'è che chi ci come con contro cui da dagli dai dal dalla
            dalle dallo degli dei del della delle dello di dove e è ed era erano essere fra gli ha hai
            hanno ho i il in io la le lei li lo loro lui ma mi mia mie miei mio ne negli nei nel nella
            nelle nello noi non nostra nostro o per perché più quale quando quella quelle quelli quello
            questa queste questi questo qui se sei si sia siamo sono sta su sua sue sugli sui sul sulla
            sulle sullo suo suoi ti tra tu tua tuo tutti tutto un una uno vi voi
            """,
        "pt": """
            a à ao aos aquela aquele as às até com como da das de dela dele do dos e é ela elas ele eles
            em entre era eram essa esse esta está este eu foi foram há isso isto já lhe mais mas me mesmo
            meu minha muito na não nas nem no nos nós o os ou para pela pelas pelo pelos por qual quando
            que quem se sem ser seu seus só sua suas também te tem um uma você
            """,
        "nl": """
            aan al alles als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus een
            en er ge geen had heb hebben heeft hem het hier hij hoe hun iemand iets ik in is ja je kan kon
            kunnen maar me meer men met mij mijn moet na naar niet niets nog nu of om omdat ons onze ook
            op over reeds te tegen toch toen tot u uit uw van veel voor want waren was wat we wel werd
            wezen wie wij wil worden zal ze zelf zich zij zijn zo zonder zou
            """,
        "sv": """
            alla allt att av blev bli blir då de dem den denna deras dess det detta dig din dina du där
            efter ej eller en er ett från för ha hade han hans har hon honom hur här i icke in inom inte
            jag ju kan kunde man med mellan men mig min mitt mot mycket ni nu när någon något några och om
            oss på samma sedan sig sin sina själv skulle som så till under upp ut utan vad var vara vi vid
            vilken vår är över
            """,
        "da": """
            af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din disse
            dog du efter eller en end er et for fra ham han hans har havde have hende hendes her hos hun
            hvad hvis hvor i ikke ind jeg jer kunne man mange med meget men mig min mine mit mod ned noget
            nogle nu når og også om op os over på selv sig sin skal skulle som sådan til ud under var vi
            vil ville vor være været
            """,
        "no": """
            alle at av bare ble bli blir da de deg dem den denne der deres det dette din disse du eller en
            er et etter for fra før ha hadde han hans har henne her hos hun hva hvem hver hvis hvor i ikke
            inn jeg kan kunne man mange med meg men min mot mye ned noe noen nå når og også om opp oss
            over på seg selv sin skal skulle slik som så til ut var ved vi vil ville vår være vært
            """,
        "ru": """
            а без более больше будет будто бы был была были было быть в вам вас ведь весь во вот все всё
            всего всех вы где да даже для до его ее её если есть еще ещё же за здесь и из или им их к как
            какая какой когда кто ли либо между меня мне может мы на над надо нас не него нее неё нет ни них
            но ну о об
            один он она они от перед по под после потом потому при про с сам себя со так также такой там
            тебя тем то того тоже той только том ты у уже хотя чего чем через что чтобы эта эти этих это
            этого этой этом этот я
            """,
        "pl": """
            a aby ale bardzo bez bo być był była było były będzie co czy dla do gdy gdzie go i ich im ja
            jak jako je jego jej jest jeszcze jeśli już kiedy kto która które który lub ma mi mnie może my
            na nad nie nim niż o od on ona one oni po pod przez przy się są ta tak także tam te tego tej
            ten to tu ty tylko tym u w we więc wszystko z za ze że
            """,
        "tr": """
            acaba ama ancak bana bazı ben beni benim bir biri birkaç biz bize bu buna bunda bunu çok çünkü
            da daha de değil diye en gibi hem hep her hiç için ile ise kez ki kim mi mı mu mü nasıl ne
            neden nerede niçin o ona onlar onu sanki sen seni siz şey şu tüm ve veya ya yani
            """,
    }.items()
}

CONTENT_WITHOUT_ACCENTS: Final[dict[str, frozenset[str]]] = {
    "de": frozenset({"uber"}),  # über
    "fr": frozenset({"meme"}),  # même
    "tr": frozenset({"su"}),  # şu, but su is water
}
"""Words that carry meaning and differ from a function word by their accents only; all others may be typed without."""
NOUNS_AFTER_ELISION: Final[dict[str, frozenset[str]]] = {
    "fr": frozenset(f"{article}'{noun}" for article in "ld" for noun in ("été", "ete", "est", "être", "etre")),
    "it": frozenset({"l'era", "dell'era", "all'era", "nell'era", "dall'era", "sull'era", "d'era"}),
}
"""Where what looks like a function word behind an article is none: l'été is the summer."""
