/** The query of the page after this one, as the Bundle's own link says it: stable while others write, and good to the end. */
export function nextPage({ link = [] }: { link?: { relation: string; url: string }[] }): string | undefined {
  const url = link.find(({ relation }) => relation === 'next')?.url;
  return url && new URL(url).search.slice(1);
}
