import { performance } from 'node:perf_hooks';
import { memberWith } from '../member-with.ts';
import { request } from '../request.ts';
import { ms, toMarkdown } from '../table.ts';

const MEMBERS = 100;
const TIMES = 5;

type Asked = {
  base: string;
  projectId: string;
  token: string;
  /** Ids of some that are there. */
  patients: readonly string[];
};
type Question = { name: string; path: string; body: object; most: number };

/**
 * What an administrator asks of policies, one question after the other: explaining, and what saving a draft would do to a hundred members of whom each
 * has other values, so that each is counted by itself.
 */
export async function askOfPolicies({ base, projectId, token, patients }: Asked): Promise<string> {
  const admin = `admin/projects/${projectId}`;
  const rules = ['Encounter', 'Condition', 'Observation'].map((resourceType) => ({
    resourceType,
    criteria: `${resourceType}?subject=%of`,
  }));
  const draftOf = (gender: string, more: object = {}) => ({
    resourceType: 'AccessPolicy',
    name: 'Bench',
    resource: [
      { resourceType: 'Patient', criteria: `Patient?gender=${gender}` },
      ...rules.map((rule) => ({ ...rule, ...more })),
    ],
  });
  const policy = await request(base, 'POST', 'fhir/R4/AccessPolicy', { body: draftOf('male'), token });
  const members: string[] = [];
  for (let at = 0; at < MEMBERS; at++) {
    const of = { name: 'of', valueReference: { reference: `Patient/${patients[at % patients.length]}` } };
    const access = [{ policy: { reference: `AccessPolicy/${policy.id}` }, parameter: [of] }];
    members.push((await memberWith(base, projectId, token, access)).id);
  }
  const membership = `ProjectMembership/${members[0]}`;
  const questions: Question[] = [
    {
      name: 'Explain a read',
      path: `${admin}/access/explain`,
      body: { membership, interaction: 'read', resourceType: 'Patient', id: patients[0] },
      most: 20,
    },
    {
      name: 'Explain a search',
      path: `${admin}/access/explain`,
      body: { membership, interaction: 'search', resourceType: 'Observation', query: 'status=final' },
      most: 20,
    },
    {
      name: `Effect of a draft on ${MEMBERS} members`,
      path: `${admin}/access-policies/${policy.id}/effect`,
      body: draftOf('female', { readonly: true }),
      most: 3000,
    },
  ];
  const rows: string[][] = [];
  for (const { name, path, body, most } of questions) {
    const taken: number[] = [];
    for (let time = 0; time <= TIMES; time++) {
      const began = performance.now();
      await request(base, 'POST', path, { body, token });
      // The first one warms up.
      if (time > 0) taken.push(performance.now() - began);
    }
    const middle = taken.toSorted((a, b) => a - b)[Math.floor(TIMES / 2)]!;
    rows.push([name, ms(middle), ms(most), middle <= most ? 'met' : 'missed']);
  }
  return toMarkdown(['One after the other', 'ms', 'At most', ''], rows);
}
