import { apiRoute } from '../door/api-route.ts';
import { json } from '../door/reply.ts';

/** How we look by day (SMART App Launch 2.2, "smart_style_url"): as app/globals.css has it, in the notation that apps know. */
const STYLE = {
  color_background: '#f9faf7',
  color_error: '#bc2122',
  color_highlight: '#0b6759',
  color_modal_backdrop: '#0b191b',
  color_success: '#195b32',
  color_text: '#0f1c1d',
  dim_border_radius: '8px',
  dim_font_size: '15px',
  dim_spacing_size: '16px',
  font_family_body: 'ui-sans-serif, system-ui, sans-serif',
  font_family_heading: 'ui-sans-serif, system-ui, sans-serif',
};

/** For anybody, from any page. */
export const smartStyle = apiRoute({
  auth: 'none',
  run: async () => json(STYLE, 200, { 'cache-control': 'public, max-age=300' }),
});
