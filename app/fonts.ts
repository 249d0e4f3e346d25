import localFont from 'next/font/local';

/**
 * Inter (SIL Open Font License, fonts/OFL.txt), from @fontsource-variable/inter 5.3.0: its Latin parts, weights 400 to 700, with kerning,
 * marks and even figures only. Names in other scripts have the system's font.
 */
const latin = localFont({
  src: './fonts/inter-latin.woff2',
  weight: '400 700',
  display: 'swap',
  variable: '--font-latin',
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
    },
  ],
});

/** Loaded when a name needs it. */
const latinExt = localFont({
  src: './fonts/inter-latin-ext.woff2',
  weight: '400 700',
  display: 'swap',
  preload: false,
  adjustFontFallback: false,
  variable: '--font-latin-ext',
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0100-0130,U+0132-0151,U+0154-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
    },
  ],
});

/** Class of the root element: what `--font-sans` in globals.css stands on. */
export const FONTS = `${latin.variable} ${latinExt.variable}`;
