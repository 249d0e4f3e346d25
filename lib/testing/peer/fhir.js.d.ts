/** What the tests use of a package that has no types. */
declare module 'fhir.js' {
  type Resource = { resourceType: string; id: string; meta: { versionId: string }; [name: string]: unknown };
  type Bundle = {
    total?: number;
    link: { relation: string; url: string }[];
    entry?: { resource?: Resource; response?: { status: string } }[];
  };
  type Answer<Data> = { data: Data; status: number; headers: (name: string) => string };
  type Call = <Data = Resource>(asked: object) => Promise<Answer<Data>>;

  export type { Answer, Bundle, Resource };
  export type FhirJs = Record<
    | 'conformance'
    | 'transaction'
    | 'history'
    | 'typeHistory'
    | 'resourceHistory'
    | 'read'
    | 'vread'
    | 'delete'
    | 'create'
    | 'search'
    | 'update'
    | 'conditionalUpdate'
    | 'conditionalDelete'
    | 'nextPage'
    | 'prevPage'
    | 'getBundleByUrl'
    | 'resolve'
    | 'patch',
    Call
  > & {
    meta: Record<'add' | 'delete' | 'read', Call>;
    fetchAll(asked: object): Promise<Resource[]>;
    fetchAllWithReferences(asked: object, paths: string[]): Promise<Answer<Bundle>>;
    drain(asked: object, each: (page: Resource[]) => void, done: () => void, fail: (error: unknown) => void): void;
  };
  // biome-ignore lint/style/noDefaultExport: so it is exported there.
  export default function fhir(config: { baseUrl: string; auth: { user: string; pass: string } }): FhirJs;
}
