import { expect, test } from 'vitest';
import type { Project } from '#lib/protocol/fhir/types.ts';
import { readSessionSettings, toSessionSettings } from './session-settings.ts';

test('what is empty is not said, and every other setting stays', () => {
  const kept = { name: 'auditReads', valueBoolean: true };
  const project: Project = {
    resourceType: 'Project',
    setting: [kept, { name: 'sessionIdleLimit', valueString: '30m' }, { name: 'allowedAddresses', valueString: '::1' }],
  };
  const read = readSessionSettings(project);
  expect(read).toEqual({
    sessionIdleLimit: '30m',
    sessionLifetime: '',
    accessTokenLifetime: '',
    refreshTokenLifetime: '',
    allowedAddresses: '::1',
  });
  expect(toSessionSettings(project, { ...read, sessionIdleLimit: '', accessTokenLifetime: '5m' })).toEqual([
    kept,
    { name: 'accessTokenLifetime', valueString: '5m' },
    { name: 'allowedAddresses', valueString: '::1' },
  ]);
});
