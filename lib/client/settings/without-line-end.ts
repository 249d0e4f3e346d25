/** A secret that was copied with the end of its line is the line; a key of several lines stays as it is. */
export function withoutLineEnd(secret: string): string {
  return secret.replace(/^([^\r\n]+)[\r\n]+$/, '$1');
}
