/**
 * The types that the platform adds to R4 (api.md §3), in the line format of generated/r4.ts (see structures.ts).
 * Left out on purpose, so that they can never enter a stored resource: password hashes, factor secrets, refresh secrets,
 * login codes and private key members. Meta replaces R4's: extended mode shows these members and clients send them back.
 */
export const IDENTITY_STRUCTURES = `Meta E versionId^:?id lastUpdated^:?instant source^:?uri profile^:*canonical security^:*Coding tag^:*Coding project^:?uri author^:?Reference onBehalfOf^:?Reference account^:?Reference accounts^:*Reference compartment^:*Reference
User D firstName^:1string lastName^:1string email^:?string emailVerified^:?boolean identifier^:*Identifier externalId:?string admin:?boolean mfaRequired:?boolean mfaEnrolled:?boolean mfaMethod:*code#user-mfa-method project^:?Reference(Project)
ProjectMembership D project^:1Reference(Project) user^:1Reference(Bot,ClientApplication,User) profile^:1Reference(Bot,ClientApplication,Patient,Practitioner,RelatedPerson) invitedBy^:?Reference(Bot,ClientApplication,User) active^:?boolean admin^:?boolean accessPolicy^:?Reference(AccessPolicy) access^:*@ProjectMembership.access userConfiguration:?Reference(UserConfiguration) userName^:?string externalId^:?string signInWays:*code#sign-in-way period^:?Period suspendedUntil^:?dateTime identifier^:*Identifier
ProjectMembership.access B policy:1Reference(AccessPolicy) parameter:*@ProjectMembership.access.parameter period:?Period
ProjectMembership.access.parameter B name:1string value[x]:1string|Reference
Project D name^:?string description^:?string active^:?boolean owner^:?Reference(User) superAdmin:?boolean strictMode:?boolean checkReferencesOnWrite:?boolean features^:*code defaultPatientAccessPolicy:?Reference(AccessPolicy) defaultAccessPolicies:*@Project.defaultAccessPolicies setting:*@Project.setting secret:*@Project.setting systemSetting:*@Project.setting systemSecret:*@Project.setting site:*@Project.site link:*@Project.link defaultProfile:*@Project.defaultProfile exportedResourceType:*code identifier^:*Identifier
Project.defaultAccessPolicies B profileType:1code#profile-type accessPolicy:1Reference(AccessPolicy)
Project.setting B name:1string value[x]:1string|boolean|decimal|integer
Project.site B name:1string domain:+string googleClientId:?string googleClientSecret:?string recaptchaSiteKey:?string recaptchaSecretKey:?string
Project.link B project:1Reference(Project)
Project.defaultProfile B resourceType:1code profile:+canonical
Bot D identifier^:*Identifier name^:?string description^:?string runtimeVersion^:?code#bot-runtime timeout:?integer photo:?Attachment category^:*CodeableConcept cron[x]:?Timing|string system:?boolean runAsUser:?boolean publicWebhook:?boolean rawBody:?boolean allowedHost:*string streamingEnabled:?boolean auditEventTrigger:?code#bot-audit-trigger auditEventDestination:*code#bot-audit-destination sourceCode:?Attachment executableCode:?Attachment cdsService:?@Bot.cdsService code:?string
Bot.cdsService B hook:1string title:1string description:1string usageRequirements:?string prefetch:*@Bot.cdsService.prefetch
Bot.cdsService.prefetch B key:1string query:1string
ClientApplication D status^:?code#client-status name^:?string description^:?string signInForm:?@ClientApplication.signInForm secret:?string retiringSecret:?string jwksUri:?uri redirectUris:*uri redirectUri:?uri launchUri:?uri launchIdentifierSystems:*@ClientApplication.launchIdentifierSystems pkceOptional:?boolean identityProvider:?IdentityProvider accessTokenLifetime:?string refreshTokenLifetime:?string allowedOrigin:*string grantType:*code responseType:*code defaultScope:*string certificateTrustStore:?string allowedAddress:*string allowedScope:*string idTokenSignedResponseAlg:?code#id-token-alg tokenEndpointAuthMethod:?code#client-auth-method owner:?Reference(ProjectMembership)
ClientApplication.signInForm B welcomeString:?string logo:?Attachment showScopeSelection:?boolean
ClientApplication.launchIdentifierSystems B resourceType:1code system:1uri
IdentityProvider E issuer:?string audience:?string jwksUrl:?string authorizeUrl:?string tokenUrl:?string tokenAuthMethod:?code#token-auth-method userInfoUrl:?string userInfoMode:?code#user-info-mode userInfoApiKey:?string clientId:?string clientSecret:?string usePkce:?boolean useSubject:?boolean acrValues:?string maxAge:?unsignedInt mfaAcr:*string mfaAmr:*string identitySource:?code#identity-source identityMappingMode:?code#identity-mapping-mode
AccessPolicy D name^:?string basedOn:*Reference(AccessPolicy) compartment:?Reference resource^:*@AccessPolicy.resource ipAccessRule:*@AccessPolicy.ipAccessRule
AccessPolicy.resource B resourceType:1string compartment:?Reference criteria:?string readonly:?boolean interaction:*code#policy-interaction hiddenFields:*string readonlyFields:*string writeConstraint:*Expression
AccessPolicy.ipAccessRule B name:?string value:1string action:1code#ip-action
UserSecurityRequest D type^:?code#security-request-type user^:1Reference(User) used^:?boolean expiresAt:?instant redirectUri:?uri
Login D user^:1Reference(Bot,ClientApplication,User) authMethod^:1code#auth-method authTime^:1instant client^:?Reference(ClientApplication) project^:?Reference(Project) profileType:?code membership^:?Reference(ProjectMembership) scope:?string mfaVerified:?boolean expiresAt:?instant granted:?boolean revoked:?boolean remoteAddress:?string userAgent:?string pictureUrl:?uri basedOn:?Reference(Login) admin:?boolean superAdmin:?boolean
DomainConfiguration D domain^:1string project:?Reference(Project) identityProvider:?IdentityProvider samlProvider:?@DomainConfiguration.samlProvider allowedPostLoginRedirectUrls:*uri
DomainConfiguration.samlProvider B entityId:1string ssoUrl:1string certificates:+string emailAttribute:?string givenNameAttribute:?string familyNameAttribute:?string
JsonWebKey D alg^:1string active^:?boolean kty:?string use:?string key_ops:*string x5c:*string n:?string e:?string kid:?string x5t:?string x:?string y:?string crv:?string
AsyncJob D status^:1code#async-job-status requestTime^:1instant request^:1uri transactionTime^:?instant output:?Parameters type^:?code
UserConfiguration D name:?string menu:*@UserConfiguration.menu search:*@UserConfiguration.search option:*@UserConfiguration.option
UserConfiguration.menu B title:1string link:*@UserConfiguration.menu.link
UserConfiguration.menu.link B name:1string target:1url
UserConfiguration.search B name:1string criteria:1string
UserConfiguration.option B value[x]:1boolean|code|decimal|integer|string`;

/** Closed code sets of the types above: name, `-` (no code system), codes. */
export const IDENTITY_CODES = `user-mfa-method - totp email
sign-in-way - password passkey link provider
profile-type - Patient Practitioner RelatedPerson Admin
bot-runtime - awslambda vmcontext fission
bot-audit-trigger - always never on-error on-output
bot-audit-destination - log resource
client-status - active off error
token-auth-method - client_secret_basic client_secret_post
client-auth-method - client_secret_basic client_secret_post private_key_jwt none
id-token-alg - RS256 ES256
user-info-mode - oidc gcip
identity-source - email subject fhir-user
identity-mapping-mode - user-email user-external-id project-membership-external-id project-membership-profile
policy-interaction - read vread update delete history create search
ip-action - allow block
security-request-type - invite verify-email reset
auth-method - client exchange execute external google password pre-authorized
async-job-status - accepted active completed error cancelled`;
