import type { Issue } from '#lib/base/errors.ts';
import { hostIssues } from '../../bots/allowed-hosts.ts';
import type { ClientApplication } from '../client-types.ts';
import { searchParam } from '../index/search-params.ts';
import { LIFETIME } from '../lifetime.ts';
import { isLinked } from '../search/chains.ts';
import { MAX_CRITERIA, parseCriteria } from '../search/parse-criteria.ts';
import type { SearchParamType } from '../search-param-type.ts';
import { isResourceType } from '../type-ids.ts';
import type { AccessPolicy, AccessPolicyRule, Bot, ProjectMembership, User } from '../types.ts';
import { boundIssues, MAX_ACCESS, MAX_PARAMETERS } from './bounds.ts';
import { ipIssues } from './ip-rules.ts';
import { periodFault } from './membership-dates.ts';
import { basedOnIssues } from './policy-bases.ts';
import { compartmentIssues } from './policy-compartment.ts';
import { fieldIssues } from './policy-fields.ts';
import { unbuiltIssues } from './unbuilt.ts';

/** Each is a condition of every search: thousands would take seconds. */
const MAX_RULES = 500;
/** Of all rules of a policy together, in characters: each session reads them. */
const MAX_ALL_CRITERIA = 4 * MAX_CRITERIA;
/** Chains and `_has` of all rules: each is a look at other resources for each that is looked at. */
const MAX_LINKED = 20;
/** Each is evaluated with each change; characters of one. */
const MAX_CONSTRAINTS = 20;
const MAX_EXPRESSION = 4000;
/** Seconds, as on AWS Lambda (api.md §5.4). */
const MAX_TIMEOUT = 900;

/** Rules of the platform's own types that the structure cannot say (api.md §3). Expects a structurally valid resource. */
export function identityIssues(resource: object, type: string): Issue[] {
  if (!OF_THE_PLATFORM.has(type)) return [];
  const bounds = boundIssues(resource, type);
  return bounds.length > 0 ? bounds : [...ruleIssuesOf(resource, type), ...unbuiltIssues(resource, type)];
}

const OF_THE_PLATFORM = new Set([
  'DomainConfiguration',
  'User',
  'Project',
  'ProjectMembership',
  'ClientApplication',
  'Bot',
  'AccessPolicy',
]);

function ruleIssuesOf(resource: object, type: string): Issue[] {
  if (type === 'User') return userIssues(resource as User);
  if (type === 'ClientApplication') return clientIssues(resource as ClientApplication);
  if (type === 'Bot') return botIssues(resource as Bot);
  if (type === 'AccessPolicy') return policyIssues(resource as AccessPolicy);
  return type === 'ProjectMembership' ? membershipIssues(resource as ProjectMembership) : [];
}

function userIssues({ email }: User): Issue[] {
  if (email === undefined || email === email.toLowerCase()) return [];
  return [invariant('User.email', 'email must be all lower case (user-1)')];
}

function clientIssues(client: ClientApplication): Issue[] {
  const lifetimes = (['accessTokenLifetime', 'refreshTokenLifetime'] as const).filter(
    (name) => client[name] !== undefined && !LIFETIME.test(client[name]),
  );
  const issues = lifetimes.map((name) =>
    invariant(`ClientApplication.${name}`, `${name} must be one to five digits and one of s m h d w y (clapp-1)`),
  );
  if (client.launchUri === undefined || /^https?:\/\/\S+$/.test(client.launchUri)) return issues;
  return [...issues, invariant('ClientApplication.launchUri', 'launchUri must be an http(s) URL (clapp-2)')];
}

function botIssues(bot: Bot): Issue[] {
  const hosts = hostIssues(bot);
  if (bot.timeout === undefined || (bot.timeout >= 1 && bot.timeout <= MAX_TIMEOUT)) return hosts;
  return [...hosts, invariant('Bot.timeout', `timeout must be 1 to ${MAX_TIMEOUT} seconds`)];
}

function policyIssues(policy: AccessPolicy): Issue[] {
  const { resource } = policy;
  if (resource && resource.length > MAX_RULES)
    return [invariant('AccessPolicy.resource', `A policy has at most ${MAX_RULES} rules`)];
  const length = (resource ?? []).reduce((sum, { criteria = '' }) => sum + criteria.length, 0);
  if (length > MAX_ALL_CRITERIA)
    return [invariant('AccessPolicy.resource', `All criteria have at most ${MAX_ALL_CRITERIA} characters`)];
  const linked = (resource ?? []).reduce((sum, { criteria = '' }) => sum + linksIn(criteria), 0);
  if (linked > MAX_LINKED)
    return [invariant('AccessPolicy.resource', `A policy asks of other resources at most ${MAX_LINKED} times`)];
  const rules = (resource ?? []).flatMap((rule, index) => ruleIssues(rule, `AccessPolicy.resource[${index}]`));
  return [...ipIssues(policy), ...compartmentIssues(policy), ...basedOnIssues(policy), ...rules];
}

/** Chains and `_has`. */
function linksIn(criteria: string): number {
  const pairs = criteria.slice(criteria.indexOf('?') + 1).split('&');
  return pairs.filter((pair) => isLinked(pair.split('=', 1)[0] ?? '')).length;
}

function ruleIssues(rule: AccessPolicyRule, path: string): Issue[] {
  const { resourceType, criteria, writeConstraint } = rule;
  const issues: Issue[] = fieldIssues(rule, path);
  if (resourceType !== '*' && !isResourceType(resourceType)) {
    issues.push({
      text: 'resourceType must be a resource type or *',
      expression: `${path}.resourceType`,
      code: 'value',
    });
  }
  if (criteria !== undefined && criteria.length > MAX_CRITERIA) {
    issues.push(invariant(`${path}.criteria`, `criteria has at most ${MAX_CRITERIA} characters`));
  } else if (criteria !== undefined) {
    const fault = faultOfCriteria(criteria, resourceType);
    if (fault && !mayBeOwn(criteria, resourceType)) issues.push(invariant(`${path}.criteria`, fault));
  }
  const constraints = writeConstraint ?? [];
  if (constraints.length > MAX_CONSTRAINTS)
    issues.push(invariant(`${path}.writeConstraint`, `A rule has at most ${MAX_CONSTRAINTS} constraints`));
  if (constraints.length > 0 && resourceType === 'Binary')
    issues.push(invariant(`${path}.writeConstraint`, 'The bytes of a Binary are not judged'));
  for (const [index, { language, expression = '' }] of constraints.entries()) {
    if (language === 'text/fhirpath' && expression && expression.length <= MAX_EXPRESSION) continue;
    const text = `Must be a text/fhirpath expression of at most ${MAX_EXPRESSION} characters (axp-1)`;
    issues.push(invariant(`${path}.writeConstraint[${index}]`, text));
  }
  return issues;
}

/** Why a rule's criteria would grant nothing; undefined of those that can be judged. What cannot be is refused when it is written. */
export function faultOfCriteria(criteria: string, resourceType: string, projectId = ''): string | undefined {
  if (!criteria.includes('?')) return `criteria must be ${resourceType}?parameter=value&… (axp-3)`;
  const asType = resourceType === '*' ? 'Patient' : resourceType;
  let fault: string | undefined;
  parseCriteria(criteria, sampleOf, projectId, { asType, tell: (reason) => (fault = reason) });
  return fault && `criteria: ${fault} (axp-3)`;
}

/** A value that every parameter of the type takes. */
function sampleOf(name: string, type: SearchParamType): string[] | undefined {
  if (name === 'now' && type !== 'date') return undefined;
  if (type === 'date') return ['2000-01-01'];
  return [type === 'number' || type === 'quantity' ? '1' : 'true'];
}

/** Whether it names what R4 does not have: who knows the project judges it (lib/domain/rest/rules/access-policy.ts). */
function mayBeOwn(criteria: string, type: string): boolean {
  if (!isResourceType(type) || !criteria.startsWith(`${type}?`)) return false;
  const query = criteria.slice(criteria.indexOf('?') + 1);
  return query.split('&').some((pair) => {
    const [code = ''] = pair.split(/[=:]/, 1);
    if (isLinked(pair.split('=', 1)[0] ?? '') && code !== '_list') return true;
    return code !== '' && !code.startsWith('_') && !code.includes('.') && !searchParam(type, code);
  });
}

/** A policy variable can only be used when its name is a word. */
function membershipIssues({ access }: ProjectMembership): Issue[] {
  const long = (access ?? []).findIndex(({ parameter }) => parameter && parameter.length > MAX_PARAMETERS);
  if (long >= 0) {
    const text = `A policy takes at most ${MAX_PARAMETERS} parameters`;
    return [invariant(`ProjectMembership.access[${long}].parameter`, text)];
  }
  if (access && access.length > MAX_ACCESS)
    return [invariant('ProjectMembership.access', `A membership names at most ${MAX_ACCESS} policies`)];
  const periods = (access ?? []).flatMap(({ period }, entry) => {
    const fault = period && periodFault(period);
    return fault
      ? [invariant(`ProjectMembership.access[${entry}].period.${fault.at}`, `${fault.at} ${fault.text}`)]
      : [];
  });
  const names = (access ?? []).flatMap(({ parameter }, entry) =>
    (parameter ?? []).flatMap(({ name }, index) =>
      /^[A-Za-z_][A-Za-z0-9_-]*$/.test(name)
        ? []
        : [invariant(`ProjectMembership.access[${entry}].parameter[${index}].name`, 'name must be a word')],
    ),
  );
  return [...periods, ...names];
}

function invariant(expression: string, text: string): Issue {
  return { text, expression, code: 'invariant' };
}
