import type { Issue } from '#lib/base/errors.ts';

type Given = Record<string, unknown>;
/** Elements that nothing honours yet, with the values that ask for what happens anyway. */
type Unbuilt = Record<string, readonly unknown[]>;

// Each goes from here with what builds it. Until then it is refused: a limit that does not limit would be believed.
const BOT: Unbuilt = {
  streamingEnabled: [false],
  system: [false],
  cdsService: [],
};
const CLIENT: Unbuilt = { certificateTrustStore: [] };
const PROVIDER: Unbuilt = {
  userInfoMode: ['oidc'],
  userInfoApiKey: [],
  identitySource: [],
  identityMappingMode: [],
};
const SIGN_IN_FORM: Unbuilt = { showScopeSelection: [false] };
const PROJECT: Unbuilt = { link: [], exportedResourceType: [], defaultProfile: [] };
/** Restrictions that a feature would put on everybody. */
const FEATURES = ['google-auth-required'];
const POLICY_RULE: Unbuilt = { compartment: [] };

/** One issue for each option that would be accepted and not honoured. Expects a structurally valid resource. */
export function unbuiltIssues(resource: object, type: string): Issue[] {
  const given = resource as Given;
  if (type === 'Bot') return [...asked(given, BOT, 'Bot'), ...destinations(given)];
  if (type === 'ClientApplication') {
    const form = (given.signInForm ?? {}) as Given;
    return [
      ...asked(given, CLIENT, type),
      ...asked(form, SIGN_IN_FORM, `${type}.signInForm`),
      ...asked((given.identityProvider ?? {}) as Given, PROVIDER, `${type}.identityProvider`),
    ];
  }
  if (type === 'DomainConfiguration') {
    // A provider's own name for somebody is looked for in one project, and a domain is of none.
    const provider = { ...PROVIDER, useSubject: [false], audience: [] };
    return asked((given.identityProvider ?? {}) as Given, provider, `${type}.identityProvider`);
  }
  if (type === 'Project') return [...asked(given, PROJECT, 'Project'), ...features(given)];
  if (type !== 'AccessPolicy') return [];
  const rules = (given.resource ?? []) as Given[];
  return rules.flatMap((rule, index) => asked(rule, POLICY_RULE, `AccessPolicy.resource[${index}]`));
}

function asked(given: Given, unbuilt: Unbuilt, path: string): Issue[] {
  return Object.entries(unbuilt).flatMap(([name, harmless]) => {
    return given[name] === undefined || harmless.includes(given[name]) ? [] : [unsupported(`${path}.${name}`, name)];
  });
}

function destinations({ auditEventDestination: list = [] }: Given): Issue[] {
  return (list as unknown[]).flatMap((item, index) => {
    return item === 'resource' ? [] : [unsupported(`Bot.auditEventDestination[${index}]`, String(item))];
  });
}

function features({ features: list = [] }: Given): Issue[] {
  return (list as string[]).flatMap((item, index) => {
    return FEATURES.includes(item) ? [unsupported(`Project.features[${index}]`, item)] : [];
  });
}

function unsupported(expression: string, name: string): Issue {
  return { text: `${name} is not supported yet`, expression, code: 'not-supported' };
}
