import { api } from '../api/api.ts';
import { downloadText } from '../api/download.ts';

export async function exportAccount(): Promise<void> {
  const copy = await api('/auth/account');
  downloadText('account.json', `${JSON.stringify(copy, null, 2)}\n`, 'application/json');
}
