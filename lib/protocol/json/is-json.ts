/** Of a media type in small letters, without parameters: whether it is of the JSON family. */
export function isJson(type: string): boolean {
  return type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type);
}
