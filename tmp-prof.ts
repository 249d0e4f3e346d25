import { refuseManyValues } from '#lib/http/door/read-body.ts';
import { parseJson } from '#lib/protocol/json/json.ts';
import { requireResource } from '#lib/domain/rest/require-resource.ts';
import { extract } from '#lib/protocol/fhir/index/extract.ts';
import { toIndexParams } from '#lib/domain/store/index-params.ts';
import { toColumns } from '#lib/domain/store/row.ts';
const t = (name: string, f: () => any) => { const a = performance.now(); let r: any; try { r = f(); } catch (e: any) { r = undefined; name += ' !' + String(e.message).slice(0, 80); } const d = performance.now() - a; if (d > 20) console.log('   ', name, d.toFixed(0)); return r; };
const N = 15_000_000;
const xhtml = (body: string) => `<div xmlns="http://www.w3.org/1999/xhtml">${body}</div>`;
const bodies: Record<string, any> = {
  narrativeText: { resourceType: 'Patient', text: { status: 'generated', div: xhtml('a '.repeat(N / 2)) } },
  narrativeTags: { resourceType: 'Patient', text: { status: 'generated', div: xhtml('<p>a</p>'.repeat(N / 8)) } },
  narrativeEnt: { resourceType: 'Patient', text: { status: 'generated', div: xhtml('&lt;'.repeat(N / 4)) } },
  narrativeAttr: { resourceType: 'Patient', text: { status: 'generated', div: xhtml('<p class="x" id="y" title="z">b</p>'.repeat(N / 35)) } },
  contained: { resourceType: 'Patient', contained: Array.from({ length: 80000 }, (_, i) => ({ resourceType: 'Patient', id: 'c' + i, birthDate: '1999' })), link: [] as any[] },
  names: { resourceType: 'Patient', name: Array.from({ length: 80000 }, (_, i) => ({ family: 'family' + i + 'x'.repeat(80), given: ['a'] })) },
  oneName: { resourceType: 'Patient', name: [{ family: 'x '.repeat(N / 2) }] },
  ids: { resourceType: 'Patient', identifier: Array.from({ length: 80000 }, (_, i) => ({ system: 'http://x/' + 'y'.repeat(80), value: 'v' + i })) },
  base64: { resourceType: 'Patient', photo: [{ contentType: 'image/png', data: 'QUJD'.repeat(N / 4) }] },
  markdown: { resourceType: 'Library', status: 'draft', type: { text: 'x' }, description: 'a\n'.repeat(N / 3) },
  ext: { resourceType: 'Patient', extension: Array.from({ length: 80000 }, (_, i) => ({ url: 'http://e/' + i, valueString: 'v'.repeat(100) })) },
  unicode: { resourceType: 'Patient', name: [{ family: 'é'.repeat(N / 2) }] },
  esc: { resourceType: 'Patient', name: [{ family: '\u0001x\ud83d\ude00'.repeat(N / 12) }] },
};
for (const [name, body] of Object.entries(bodies)) {
  if (body.contained) { for (let i = 0; i < 80000; i++) body.link.push(); body.generalPractitioner = []; delete body.link; body.extension = body.contained.map((c: any) => ({ url: 'urn:x', valueReference: { reference: '#' + c.id } })).slice(0, 20000); body.contained = body.contained.slice(0, 20000); }
  const text = JSON.stringify(body);
  console.log(name, (text.length / 1e6).toFixed(1));
  const all = performance.now();
  t('many', () => refuseManyValues(text));
  const parsed = t('parse', () => parseJson(text));
  t('unst', () => /\\u(?:0000|d[89a-f])/i.test(text));
  const res = t('valid', () => requireResource(body.resourceType, parsed));
  if (!res) continue;
  const cols = t('columns', () => toColumns(res));
  const ix = t('extract', () => extract('p', { ...res, id: 'x' }, 'http://x/fhir/R4'));
  t('params', () => toIndexParams(ix));
  console.log('   total', (performance.now() - all).toFixed(0));
}
