/** More than that of it: base64 is shorter. Of each, JSON makes six characters. */
const MOST_CONTROLS = 1 / 15;

/** Whether JSON makes more of this text than base64 would: it consists of control characters in good part, and is no text that anybody reads. */
export function isLongInJson(text: string): boolean {
  const most = text.length * MOST_CONTROLS;
  let controls = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x20 || code === 0x0a || code === 0x0d || code === 0x09) continue;
    controls += 1;
    if (controls > most) return true;
  }
  return false;
}
