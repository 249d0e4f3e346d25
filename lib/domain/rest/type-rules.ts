import { accessPolicyRule } from './rules/access-policy.ts';
import { auditEventRule } from './rules/audit-event.ts';
import { binaryRule } from './rules/binary.ts';
import { botRule } from './rules/bot.ts';
import { clientRule } from './rules/client-application.ts';
import { codeSystemRule } from './rules/code-system.ts';
import { definitionRule } from './rules/definition.ts';
import { domainRule } from './rules/domain-configuration.ts';
import { operationDefinitionRule } from './rules/operation-definition.ts';
import { profileRule } from './rules/profile.ts';
import { projectRule } from './rules/project.ts';
import { membershipRule } from './rules/project-membership.ts';
import { searchParameterRule } from './rules/search-parameter.ts';
import { subscriptionRule } from './rules/subscription.ts';
import { userRule } from './rules/user.ts';
import { securityRequestRule } from './rules/user-security-request.ts';
import type { TypeRule } from './type-rule.ts';

const RULES: Record<string, TypeRule> = {
  AccessPolicy: accessPolicyRule,
  AuditEvent: auditEventRule,
  Binary: binaryRule,
  Bot: botRule,
  ClientApplication: clientRule,
  CodeSystem: codeSystemRule,
  DomainConfiguration: domainRule,
  OperationDefinition: operationDefinitionRule,
  Patient: profileRule,
  Practitioner: profileRule,
  Project: projectRule,
  ProjectMembership: membershipRule,
  RelatedPerson: profileRule,
  SearchParameter: searchParameterRule,
  StructureDefinition: definitionRule,
  Subscription: subscriptionRule,
  User: userRule,
  UserSecurityRequest: securityRequestRule,
  ValueSet: definitionRule,
};

const GENERIC: TypeRule = {};

/** What this type does differently. */
export function ruleOf(type: string): TypeRule {
  return Object.hasOwn(RULES, type) ? RULES[type]! : GENERIC;
}
