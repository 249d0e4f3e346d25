type Recorded = 'access-policy' | 'bot' | 'client' | 'project' | 'resource' | 'user';

/** What the audit log calls what was done: noun, then verb. The console has words for each (lib/client/activity/words.ts). */
export type AuditAction =
  | 'audit.sweep'
  | `${Recorded}.${'create' | 'update' | 'delete'}`
  | `bot.${'deploy' | 'save' | 'rollback'}`
  | `bot.job.${'start' | 'cancel'}`
  | `client.${'device' | 'disable' | 'enable' | 'push'}`
  | `client.secret.${'rotate' | 'drop'}`
  | `consent.${'grant' | 'withdraw'}`
  | `invite.${'accept' | 'extend' | 'link' | 'resend' | 'revoke'}`
  | `${'invite' | 'reset' | 'verify-email'}.renew`
  | `job.${'start' | 'repeat' | 'cancel'}`
  | `login.${'authorize' | 'choose' | 'client' | 'device' | 'external' | 'grant' | 'failed' | 'passkey' | 'password' | 'refresh' | 'resume' | 'revoke' | 'scope' | 'switch' | 'verify'}`
  | `membership.${'create' | 'update' | 'delete' | 'restore' | 'undo'}`
  | `project.secret.${'set' | 'delete' | 'replace' | 'reveal'}`
  | `project.${'setting' | 'site'}.replace`
  | 'provider.secret.set'
  | `resource.${'read' | 'restore' | 'search'}`
  | `scim.connection.${'create' | 'update' | 'delete'}`
  | `scim.token.${'create' | 'revoke'}`
  | 'signing-key.rotate'
  | 'super-admin.ensure'
  | `user.${'rescope' | 'restore'}`
  | `user.email.${'request-verification' | 'update' | 'verify'}`
  | `user.factor.${'enroll' | 'failed' | 'recover' | 'remove' | 'renew-codes' | 'reset' | 'send-code'}`
  | `user.passkey.${'add' | 'remove' | 'rename'}`
  | `user.password.${'change' | 'request' | 'reset' | 'send-reset' | 'set-by-admin'}`;
