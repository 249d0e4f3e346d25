/** Hands `text` to the browser as a file. */
export function downloadText(name: string, text: string, type = 'text/csv;charset=utf-8'): void {
  downloadPieces(name, [text], type);
}

/** The same of what came piece by piece. */
export function downloadPieces(name: string, pieces: BlobPart[], type: string): void {
  const url = URL.createObjectURL(new Blob(pieces, { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
