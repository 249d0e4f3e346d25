type Recorded = 'access-policy' | 'bot' | 'client' | 'project' | 'resource' | 'user';

/** What the audit log calls what was done: noun, then verb. The console has words for each (lib/client/activity/words.ts). */
export type AuditAction =
  | `break-glass.${'open' | 'end' | 'close' | 'miss'}`
  | `access-request.${'ask' | 'withdraw' | 'grant' | 'refuse' | 'lapse' | 'end'}`
  | `access-review.${'start' | 'decide' | 'close' | 'cancel' | 'remind' | 'end'}`
  | `audit.${'export' | 'sweep'}`
  | `${Recorded}.${'create' | 'update' | 'delete'}`
  | `bot.${'deploy' | 'save' | 'rollback'}`
  | `bot.event.${'fail' | 'replay' | 'drop'}`
  | `access-policy.${'copy' | 'override'}`
  | 'bot.promote'
  | `bot.canary.${'start' | 'promote' | 'withdraw' | 'revert'}`
  | `bot.sample.${'save' | 'delete'}`
  | `bot.secret.${'set' | 'delete'}`
  | `bot.${'deploy' | 'execute' | 'save' | 'rollback'}`
  | `bot.fault.${'resolve' | 'reopen'}`
  | `bot.alert.${'set' | 'raise' | 'resolve'}`
  | `bot.run.${'replay' | 'reveal' | 'stop'}`
  | `bot.job.${'start' | 'cancel'}`
  | 'bot.token'
  | 'mail.send'
  | `client.${'device' | 'disable' | 'enable' | 'launch' | 'push' | 'register'}`
  | `client.token.${'create' | 'revoke'}`
  | `client.secret.${'add' | 'drop' | 'remove' | 'rotate' | 'warn'}`
  | `consent.${'grant' | 'withdraw'}`
  | `domain.${'check' | 'claim' | 'join' | 'verify' | 'update' | 'lapse' | 'delete'}`
  | `export.${'start' | 'fetch' | 'cancel'}`
  | `hl7.feed.${'create' | 'update' | 'delete'}`
  | `hl7.message.${'read' | 'replay'}`
  | `import.${'start' | 'end' | 'cancel'}`
  | `invite.${'accept' | 'extend' | 'link' | 'resend' | 'revoke'}`
  | `${'invite' | 'reset' | 'verify-email'}.renew`
  | `job.${'start' | 'repeat' | 'cancel'}`
  | `key.${'create' | 'end'}`
  | `login.${'authorize' | 'choose' | 'client' | 'device' | 'external' | 'grant' | 'failed' | 'link' | 'passkey' | 'password' | 'prove' | 'refresh' | 'resume' | 'revoke' | 'scope' | 'switch' | 'verify'}`
  | `membership.${'create' | 'update' | 'delete' | 'lock' | 'merge' | 'release' | 'restore' | 'secure' | 'undo' | 'warn'}`
  | 'project.owner'
  | `project.secret.${'set' | 'delete' | 'replace' | 'reveal'}`
  | `project.${'close' | 'export' | 'import' | 'removal' | 'reopen'}`
  | `project.${'setting' | 'site'}.replace`
  | 'provider.secret.set'
  | `record.${'erase' | 'erasure'}`
  | `resource.${'read' | 'restore' | 'search'}`
  | `scim.connection.${'create' | 'update' | 'delete'}`
  | `scim.group.${'create' | 'update' | 'delete' | 'map'}`
  | `scim.token.${'create' | 'revoke'}`
  | 'signing-key.rotate'
  | 'super-admin.ensure'
  | `user.change.${'request' | 'confirm' | 'stop' | 'cancel' | 'fail'}`
  | `user.${'erase' | 'export' | 'merge' | 'merge.begin' | 'rename' | 'rescope' | 'restore'}`
  | 'membership.export'
  | `user.device.${'forget' | 'new' | 'rename'}`
  | `user.email.${'request-verification' | 'update' | 'verify'}`
  | `user.factor.${'enroll' | 'failed' | 'recover' | 'remove' | 'renew-codes' | 'reset' | 'send-code'}`
  | 'user.link.request'
  | `user.passkey.${'add' | 'remove' | 'rename'}`
  | `view.${'start' | 'end'}`
  | `user.password.${'change' | 'request' | 'reset' | 'send-reset' | 'set-by-admin'}`;
