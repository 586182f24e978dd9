// Answer cookie banners (no, if that can be said) and close newsletters and other overlays. Calls back with how many.
const [patienceMs, limit, longestMs, done] = arguments;
const began = performance.now();
let closed = 0;
let last = performance.now();
const used = new WeakSet();
const NO = /^(reject|decline|refuse|deny|only (necessary|essential)|(use )?(necessary|essential)( cookies)? only|no,? thanks|not now|continue without|ablehnen|alle ablehnen|nur (notwendige|erforderliche|essenzielle)|nein,? danke|tout refuser|refuser|continuer sans|non,? merci|rechazar|solo (las )?necesarias|no,? gracias|rifiuta|solo necessari|no,? grazie|weigeren|alles weigeren|alleen noodzakelijke|nee,? bedankt|rejeitar|recusar|não,? obrigad[oa]|odrzuć|nie,? dziękuję|avvisa|neka|nej,? tack|afvis|odmítnout|elutas|reddet|отклонить|отказаться|拒绝|拒否)/i;
const YES = /^(accept|agree|allow|ok(ay)?\b|got it|i understand|understood|consent|alle? (akzeptieren|zulassen|annehmen)|akzeptieren|zustimmen|einverstanden|verstanden|(tout )?accepter|j'accepte|d'accord|aceptar|acepto|de acuerdo|entendido|accett|va bene|ho capito|accepteren|akkoord|alles toestaan|aceitar|concordo|zaakceptuj|akceptuj|zgadzam|godkänn|acceptera|accepter alle|přijmout|souhlasím|elfogad|kabul|принять|согласен|接受|同意)/i;
const CLOSE = /^(close|dismiss|skip|later|schließen|später|fermer|plus tard|cerrar|chiudi|sluiten|fechar|zamknij|stäng|luk|zavřít|bezár|kapat|закрыть|关闭|×|✕|✖|x)$/i;
const LIKELY = /cookie|consent|gdpr|privacy|newsletter|overlay|modal|popup|pop-up|banner|lightbox|subscribe|paywall|cmp/i;

function isShown(element) {
  return element.getClientRects().length > 0 && getComputedStyle(element).visibility !== "hidden";
}

function isOverlay(element) {
  if (!isShown(element)) return false;
  if (element.matches("dialog[open], [role=dialog], [role=alertdialog], [aria-modal=true]")) return true;
  const style = getComputedStyle(element);
  const floats = style.position === "fixed" || style.position === "sticky" || Number(style.zIndex) > 99;
  return floats && LIKELY.test(`${element.id} ${element.className} ${element.getAttribute("aria-label") ?? ""}`);
}

function roots() {
  const shadows = [...document.querySelectorAll("*")].map((element) => element.shadowRoot).filter(Boolean);
  return [document, ...shadows];
}

function overlays() {
  return roots().flatMap((root) => [...root.querySelectorAll("*")]).filter(isOverlay);
}

function label(element) {
  return (element.innerText || element.value || element.getAttribute("aria-label") || element.title || "").trim();
}

function buttonOf(overlay) {
  const buttons = [...overlay.querySelectorAll("button, a, [role=button], input[type=button], input[type=submit]")]
    .filter((element) => isShown(element) && !element.disabled && !used.has(element));
  const says = (words) => buttons.find((element) => words.test(label(element)));
  return says(NO) ?? says(YES) ?? says(CLOSE)
    ?? buttons.find((element) => /close|dismiss/i.test(`${element.className} ${element.getAttribute("aria-label") ?? ""}`));
}

function step() {
  const now = performance.now();
  const button = closed < limit ? overlays().map(buttonOf).find(Boolean) : null;
  if (button) {
    used.add(button);
    button.click();
    closed += 1;
    last = now;
  }
  if (closed >= limit || now - last >= Math.min(patienceMs, 700) || now - began >= longestMs) done(closed);
  else setTimeout(step, 60);
}

step();
