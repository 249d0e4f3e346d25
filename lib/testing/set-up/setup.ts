// Vitest loads this file again for every test file, and Node what it imports once for the process.
import { afterAll } from 'vitest';
import { checkStandings, forgetAttempts, leaveStatements } from '../processes/process-setup.ts';

afterAll(leaveStatements);
afterAll(checkStandings);
afterAll(forgetAttempts);
