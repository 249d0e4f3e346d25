type Resource = { resourceType: string; id?: string };
type Reference = { reference?: string; display?: string };
type Identifier = { system?: string; value?: string };
type Coding = { system?: string; code?: string; display?: string };
type Concept = { coding?: Coding[]; text?: string };
type HumanName = { text?: string; prefix?: string[]; given?: string[]; family?: string; suffix?: string[] };
type Extension = { url?: string; extension?: Extension[]; [value: `value${string}`]: unknown };
type WithIdentifiers = { identifier?: Identifier | Identifier[] };

export function isResource(value: unknown): value is Resource {
  return (
    typeof value === 'object' && value !== null && 'resourceType' in value && typeof value.resourceType === 'string'
  );
}

export function isReference(value: unknown): value is Reference & { reference: string } {
  return typeof value === 'object' && value !== null && 'reference' in value && typeof value.reference === 'string';
}

export function getReferenceString(value: Resource | Reference): string | undefined {
  if (isReference(value)) return value.reference;
  return isResource(value) && value.id ? `${value.resourceType}/${value.id}` : undefined;
}

export function createReference(resource: Resource): Reference {
  const reference = getReferenceString(resource);
  const display = getDisplayString(resource);
  return display === reference ? { reference } : { reference, display };
}

export function resolveId(value: Resource | Reference | undefined): string | undefined {
  return value && (isReference(value) ? value.reference.split('/')[1] : (value as Resource).id);
}

/** A person's name, else `name` or `title`, else the reference. */
export function getDisplayString(resource: Resource): string {
  const { name, title } = resource as { name?: HumanName[] | string; title?: unknown };
  const person = Array.isArray(name) && name[0] ? formatHumanName(name[0]) : name;
  const found = [person, title].find((text) => typeof text === 'string' && text !== '');
  return (found as string | undefined) ?? getReferenceString(resource) ?? '';
}

export function formatHumanName(name: HumanName): string {
  const parts = [...(name.prefix ?? []), ...(name.given ?? []), name.family, ...(name.suffix ?? [])];
  return parts.filter(Boolean).join(' ') || (name.text ?? '');
}

export function formatGivenName(name: HumanName): string {
  return (name.given ?? []).join(' ');
}

export function formatFamilyName(name: HumanName): string {
  return name.family ?? '';
}

export function getIdentifier(resource: WithIdentifiers, system: string): string | undefined {
  return [resource.identifier ?? []].flat().find((identifier) => identifier.system === system)?.value;
}

export function setIdentifier(resource: WithIdentifiers, system: string, value: string): void {
  const identifiers = [resource.identifier ?? []].flat();
  const existing = identifiers.find((identifier) => identifier.system === system);
  if (existing) existing.value = value;
  else resource.identifier = [...identifiers, { system, value }];
}

export function getCodeBySystem(concept: Concept, system: string): string | undefined {
  return concept.coding?.find((coding) => coding.system === system)?.code;
}

export function setCodeBySystem(concept: Concept, system: string, code: string): void {
  const existing = concept.coding?.find((coding) => coding.system === system);
  if (existing) existing.code = code;
  else concept.coding = [...(concept.coding ?? []), { system, code }];
}

/** The extension at a path of URLs. */
export function getExtension(resource: unknown, ...urls: string[]): Extension | undefined {
  let current = resource as Extension | undefined;
  for (const url of urls) current = current?.extension?.find((extension) => extension.url === url);
  return current;
}

export function getExtensionValue(resource: unknown, ...urls: string[]): unknown {
  const extension = getExtension(resource, ...urls);
  return Object.entries(extension ?? {}).find(([name]) => /^value[A-Z]/.test(name))?.[1];
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function isUUID(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}

export function deepClone<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}
