import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { extract } from '#lib/protocol/fhir/index/extract.ts';
import { evaluate } from '#lib/protocol/fhir/search/ir.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import type { AccessPolicy, AccessPolicyRule, ProjectMembership, Resource } from '#lib/protocol/fhir/types.ts';
import { compiled } from '#lib/testing/compiled.ts';
import type { Actor, Ctx } from '../../access/context.ts';
import { mayReach, reach } from '../../access/policy.ts';
import { write } from '../../audit/write.ts';
import { createRow } from '../../store/create-row.ts';
import { deleteRow } from '../../store/delete-row.ts';
import { lockRow } from '../../store/find-row.ts';
import { linkBounds } from '../../store/links/find-linked.ts';
import { type Row, toResource } from '../../store/row.ts';
import { areWithin } from '../../store/within-reach.ts';
import { searchResources } from './search-resources.ts';

const ctx: Ctx = { requestId: 'test', remoteAddress: '', userAgent: '' };
const USUAL = { ...linkBounds };

afterEach(() => void Object.assign(linkBounds, USUAL));

// biome-ignore lint/suspicious/noExplicitAny: resources of all shapes, read by hand.
type Json = any;
type Place = { projectId: string; actor: Actor; rows: Row[] };

/** Where references and canonicals stand, by the parameter that asks for them, read by hand. */
const REFERENCES: Record<string, Record<string, { of: (resource: Json) => Json[]; to: string[] }>> = {
  Patient: {
    'general-practitioner': { of: (r) => r.generalPractitioner ?? [], to: ['Practitioner', 'Organization'] },
    organization: { of: (r) => [r.managingOrganization], to: ['Organization'] },
    link: { of: (r) => (r.link ?? []).map((item: Json) => item.other), to: ['Patient'] },
  },
  Observation: {
    subject: { of: (r) => [r.subject], to: ['Patient', 'Location'] },
    patient: { of: (r) => [r.subject], to: ['Patient'] },
    performer: { of: (r) => r.performer ?? [], to: ['Practitioner', 'Organization', 'Patient'] },
    encounter: { of: (r) => [r.encounter], to: ['Encounter'] },
    'has-member': { of: (r) => r.hasMember ?? [], to: ['Observation'] },
  },
  Encounter: {
    subject: { of: (r) => [r.subject], to: ['Patient'] },
    'service-provider': { of: (r) => [r.serviceProvider], to: ['Organization'] },
    location: { of: (r) => (r.location ?? []).map((item: Json) => item.location), to: ['Location'] },
  },
  Practitioner: {},
  Organization: { partof: { of: (r) => [r.partOf], to: ['Organization'] } },
  Location: { organization: { of: (r) => [r.managingOrganization], to: ['Organization'] } },
  Questionnaire: {},
  PlanDefinition: {
    definition: {
      of: (r) => (r.action ?? []).flatMap((item: Json) => [item.definitionCanonical, item.definitionUri]),
      to: ['Questionnaire', 'PlanDefinition'],
    },
  },
  QuestionnaireResponse: {
    questionnaire: { of: (r) => [r.questionnaire], to: ['Questionnaire'] },
    patient: { of: (r) => [r.subject], to: ['Patient'] },
  },
};
const TYPES = Object.keys(REFERENCES);
const IDS = ['1', '2', '3'];

const PLAIN: Record<string, [string, string][]> = {
  Patient: [
    ['gender', 'male'],
    ['gender:not', 'male'],
    ['gender:missing', 'true'],
    ['name', 'an'],
    ['name:exact', 'Anna,Bo'],
    ['birthdate', 'ge1990'],
    ['birthdate', 'lt1990'],
    ['_id', 'Patient1,Patient3'],
  ],
  Observation: [
    ['status', 'final'],
    ['status:not', 'final'],
    ['code', 'a,b'],
    ['date', 'ge2020'],
    ['subject', 'Patient/Patient1'],
    ['subject:missing', 'true'],
  ],
  Encounter: [
    ['status', 'finished'],
    ['date', 'lt2020'],
    ['status:not', 'finished'],
  ],
  Practitioner: [
    ['gender', 'female'],
    ['name', 'an'],
    ['family:exact', 'Bo'],
  ],
  Organization: [
    ['name', 'an'],
    ['name:missing', 'true'],
    ['active', 'true'],
  ],
  Location: [
    ['name', 'bo'],
    ['status', 'active'],
  ],
  Questionnaire: [
    ['title', 'an'],
    ['status', 'active'],
    ['version', '1'],
    ['_id', 'Questionnaire1,Questionnaire2'],
  ],
  PlanDefinition: [
    ['status', 'active'],
    ['title:missing', 'true'],
    ['version', '2'],
  ],
  QuestionnaireResponse: [
    ['status', 'completed'],
    ['authored', 'ge2020'],
    ['subject', 'Patient/Patient1'],
  ],
};

type Step = { way: 'to' | 'from'; param: string; type: string; isTyped: boolean };
/** From the type that is searched, step by step, to a plain parameter of the last. */
type Query = { type: string; steps: Step[]; name: string; value: string };

const reference = (types: string[]) =>
  fc
    .tuple(
      fc.constantFrom(...types),
      fc.constantFrom(...IDS, 'gone'),
      fc.constantFrom('', '', '', `${fhirBase()}/`, 'https://elsewhere.example/fhir/'),
      fc.constantFrom('', '', '', '/_history/1'),
    )
    .map(([type, id, base, version]) => ({ reference: `${base}${type}/${type}${id}${version}` }));
/** By address and version, by type and id, or nothing that is there. */
const canonical = fc
  .tuple(
    fc.constantFrom(
      'urn:a',
      'urn:a',
      'https://a.example/😀',
      'Questionnaire/Questionnaire1',
      'PlanDefinition/PlanDefinition2',
    ),
    fc.constantFrom('', '', `${fhirBase()}/`),
    fc.constantFrom('', '', '|', '|1', '|1', '|2', '/_history/1'),
  )
  .map(
    ([url, base, version]) =>
      `${url.includes(':') ? '' : base}${url}${url.includes(':') && version.startsWith('/') ? '' : version}`,
  );
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const words = fc.constantFrom('Anna', 'Ångela', 'Bo', 'Carl');
const dates = fc.constantFrom('1980-01-01', '1995', '2019-12-31', '2021-05');
const genders = fc.constantFrom('male', 'female');

const CONTENT: Record<string, fc.Arbitrary<object>> = {
  Patient: fc.record({
    gender: maybe(genders),
    birthDate: maybe(dates),
    name: fc.array(
      words.map((family) => ({ family })),
      { maxLength: 2 },
    ),
    generalPractitioner: fc.array(reference(['Practitioner', 'Organization']), { maxLength: 2 }),
    managingOrganization: maybe(reference(['Organization'])),
    link: fc.array(
      reference(['Patient']).map((other) => ({ type: 'seealso', other })),
      { maxLength: 1 },
    ),
  }),
  Observation: fc.record({
    status: fc.constantFrom('final', 'amended'),
    code: fc.constantFrom('a', 'b', 'c').map((code) => ({ coding: [{ system: 'urn:c', code }] })),
    effectiveDateTime: maybe(dates),
    subject: maybe(reference(['Patient', 'Location'])),
    performer: fc.array(reference(['Practitioner', 'Organization', 'Patient']), { maxLength: 2 }),
    encounter: maybe(reference(['Encounter'])),
    hasMember: fc.array(reference(['Observation']), { maxLength: 2 }),
  }),
  Encounter: fc.record({
    status: fc.constantFrom('finished', 'planned'),
    class: fc.constant({ code: 'AMB' }),
    period: maybe(dates.map((start) => ({ start }))),
    subject: maybe(reference(['Patient'])),
    serviceProvider: maybe(reference(['Organization'])),
    location: fc.array(
      reference(['Location']).map((location) => ({ location })),
      { maxLength: 2 },
    ),
  }),
  Practitioner: fc.record({
    gender: maybe(genders),
    name: fc.array(
      words.map((family) => ({ family })),
      { maxLength: 2 },
    ),
  }),
  Organization: fc.record({
    name: maybe(words),
    active: maybe(fc.boolean()),
    partOf: maybe(reference(['Organization'])),
  }),
  Location: fc.record({
    name: maybe(words),
    status: maybe(fc.constantFrom('active', 'suspended')),
    managingOrganization: maybe(reference(['Organization'])),
  }),
};

const published = {
  url: fc.constantFrom(
    'urn:a',
    'urn:a',
    'https://a.example/😀',
    `${fhirBase()}/Questionnaire/Questionnaire1`,
    undefined,
  ),
  version: fc.constantFrom('1', '2', undefined),
  status: fc.constantFrom('active', 'draft'),
};

Object.assign(CONTENT, {
  Questionnaire: fc.record({ ...published, title: maybe(words) }),
  PlanDefinition: fc.record({
    ...published,
    title: maybe(words),
    action: fc.array(
      fc
        .tuple(fc.boolean(), canonical)
        .map(([isUri, name]) => ({ [isUri ? 'definitionUri' : 'definitionCanonical']: name })),
      { maxLength: 2 },
    ),
  }),
  QuestionnaireResponse: fc.record({
    status: fc.constantFrom('completed', 'amended'),
    questionnaire: maybe(canonical),
    authored: maybe(dates),
    subject: maybe(reference(['Patient'])),
  }),
});

const graphs = fc.record(
  Object.fromEntries(TYPES.map((type) => [type, fc.array(CONTENT[type]!, { minLength: 3, maxLength: 3 })])),
);

const rules = fc.constantFrom<AccessPolicyRule>(
  { resourceType: '*' },
  { resourceType: '*' },
  { resourceType: 'Patient' },
  { resourceType: 'Observation' },
  { resourceType: 'Encounter' },
  { resourceType: 'Practitioner', interaction: ['read'] },
  { resourceType: 'Patient', criteria: 'Patient?gender=female' },
  { resourceType: 'Observation', criteria: 'Observation?status:not=amended' },
  { resourceType: 'Organization', criteria: 'Organization?active=true' },
  { resourceType: 'Practitioner', criteria: 'Practitioner?gender:not=male' },
  { resourceType: 'Location', criteria: 'Location?_id=Location1' },
  { resourceType: 'Questionnaire', criteria: 'Questionnaire?status=active' },
  { resourceType: 'PlanDefinition' },
  { resourceType: 'QuestionnaireResponse', criteria: 'QuestionnaireResponse?subject=Patient/Patient1' },
  { resourceType: 'Encounter', criteria: 'Encounter?subject=Patient/Patient1,Patient/Patient2' },
);

const queries: fc.Arbitrary<Query> = fc
  .tuple(
    fc.constantFrom(...TYPES),
    fc.array(fc.tuple(fc.nat(), fc.boolean()), { minLength: 1, maxLength: 3 }),
    fc.nat(),
  )
  .map(([type, turns, last]) => {
    const steps: Step[] = [];
    let at = type;
    for (const [turn, isTyped] of turns) {
      const ways = waysFrom(at);
      const way = ways[turn % ways.length]!;
      steps.push({ ...way, isTyped });
      at = way.type;
    }
    const plain = PLAIN[at]!;
    const [name, value] = plain[last % plain.length]!;
    return { type, steps, name, value };
  });

function waysFrom(type: string): Omit<Step, 'isTyped'>[] {
  const to = Object.entries(REFERENCES[type]!).flatMap(([param, { to }]) => {
    return to.map((target) => ({ way: 'to' as const, param, type: target }));
  });
  const from = TYPES.flatMap((source) =>
    Object.entries(REFERENCES[source]!)
      .filter(([, { to }]) => to.includes(type))
      .map(([param]) => ({ way: 'from' as const, param, type: source })),
  );
  return [...to, ...from];
}

/** A chain leaves its type out where there is only one. */
function written({ type, steps, name }: Query): string {
  let text = '';
  let at = type;
  for (const { way, param, type: other, isTyped } of steps) {
    const isOne = REFERENCES[at]![param]?.to.length === 1 && at !== 'Observation';
    if (way === 'from') text += `_has:${other}:${param}:`;
    else text += `${param}${isOne && !isTyped ? '' : `:${other}`}.`;
    at = other;
  }
  return text + name;
}

/** What the query finds, read row by row; undefined when the caller may not search one of its types. */
async function expected(
  { projectId, actor, rows }: Place,
  { type, steps, name, value }: Query,
): Promise<string[] | undefined> {
  const types = [type, ...steps.map((step) => step.type)];
  if (types.some((each) => !mayReach(actor, each, 'search'))) return undefined;
  const seen = async (each: string) => {
    const some = rows.filter((row) => row.type === each);
    const within = await areWithin(reach(actor, each, 'search'), some);
    return some.filter((_, at) => within[at]);
  };
  const last = types.at(-1)!;
  const { filter } = parseSearch(last, [[name, value]], projectId);
  let found = (await seen(last)).filter((row) =>
    evaluate(filter, extract(projectId, toResource(row), fhirBase()), row),
  );
  for (let at = steps.length - 1; at >= 0; at -= 1) {
    const { way, param } = steps[at]!;
    const near = types[at]!;
    const far = types[at + 1]!;
    found = (await seen(near)).filter((row) => {
      if (way === 'to') return found.some((other) => refers(row, near, param, other));
      return found.some((other) => refers(other, far, param, row));
    });
  }
  return found.map(({ id }) => id).sort();
}

function refers(row: Row, type: string, param: string, target: Row): boolean {
  const own = [`${target.type}/${target.id}`, `${fhirBase()}/${target.type}/${target.id}`];
  const meant = own.flatMap((name) => [name, `${name}/_history/1`]);
  const found = REFERENCES[type]![param]!.of(toResource<Json>(row));
  return found.some((item) => {
    if (typeof item !== 'string') return typeof item?.reference === 'string' && meant.includes(item.reference);
    const [url = '', version] = item.split('|');
    if (meant.includes(url)) return true;
    const named = toResource<Json>(target);
    const isIts = whole(url) === named.url;
    return isIts && (!version || version === named.version);
  });
}

/** As others write an address of this server. */
function whole(url: string): string {
  const name = url.replace('/_history/1', '');
  return /^[A-Z]/.test(name) ? `${fhirBase()}/${name}` : name;
}

async function stored(projectId: string, graph: Record<string, object[]>): Promise<Row[]> {
  return write(ctx, async (w) => {
    w.audit({ projectId, action: 'resource.create', target: 'Patient' });
    const rows: Row[] = [];
    for (const [resourceType, items] of Object.entries(graph)) {
      for (const [at, item] of items.entries()) {
        const resource = JSON.parse(JSON.stringify({ resourceType, ...item })) as Resource;
        rows.push(await createRow(w, projectId, resource, { author: undefined, id: `${resourceType}${at + 1}` }));
      }
      // The last of each is no more, but what refers to it still does.
      const gone = await createRow(w, projectId, { resourceType, ...items[0] } as Resource, {
        author: undefined,
        id: `${resourceType}gone`,
      });
      await deleteRow(w, (await lockRow(w.tx, projectId, resourceType, gone.id))!, undefined);
    }
    return rows;
  });
}

function member(projectId: string, resource: AccessPolicyRule[] | undefined): Actor {
  const accessPolicy = resource && { reference: 'AccessPolicy/p' };
  const membership = { resourceType: 'ProjectMembership', accessPolicy } as ProjectMembership;
  const policies = new Map([['AccessPolicy/p', { resourceType: 'AccessPolicy', resource } as AccessPolicy]]);
  return { projectId, policy: compiled({ projectId, membership, policies, superAdmin: false }) } as Actor;
}

async function found({ actor }: Place, query: Query, more: [string, string][] = []): Promise<unknown> {
  const params: [string, string][] = [[written(query), query.value], ...more];
  try {
    const { entry = [], total } = JSON.parse(await searchResources({ ...ctx, actor }, query.type, params));
    const ids = entry.map((item: { resource: { id: string } }) => item.resource.id);
    return { ids: ids.sort(), total };
  } catch (error) {
    if ((error as { code?: string }).code === 'forbidden') return undefined;
    throw error;
  }
}

test.each([
  ['as it comes', USUAL],
  ['where a few tokens are many', { ...USUAL, tokens: 0 }],
  ['where all that is more than one is too many', { targets: 1, sources: 1, tokens: 0 }],
  ['where everything is too many', { targets: 0, sources: 0, tokens: 0 }],
])(
  'chains and _has find what reading every row finds, each type within the caller’s reach: %s',
  async (_, bounds) => {
    Object.assign(linkBounds, bounds);
    await fc.assert(
      fc.asyncProperty(
        graphs,
        fc.array(fc.option(fc.array(rules, { minLength: 1, maxLength: 5 }), { nil: undefined }), {
          minLength: 3,
          maxLength: 3,
        }),
        fc.array(queries, { minLength: 20, maxLength: 20 }),
        async (graph, policies, asked) => {
          const projectId = randomUUID();
          const rows = await stored(projectId, graph as Record<string, object[]>);
          for (const resource of policies) {
            const place = { projectId, actor: member(projectId, resource), rows };
            for (const query of asked) {
              const ids = await expected(place, query);
              const name = `${query.type}?${written(query)}=${query.value} ${JSON.stringify(resource)}`;
              const wanted = ids && { ids, total: ids.length };
              expect(await found(place, query, [['_total', 'accurate']]), name).toEqual(wanted);
            }
          }
        },
      ),
      { numRuns: 5, endOnFailure: true },
    );
  },
  300_000,
);
