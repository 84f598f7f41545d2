import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';

/** Guides and reference, which scripts/site/pages.ts writes beside the pages. */
const sidebar = JSON.parse(readFileSync(new URL('../sidebar.json', import.meta.url), 'utf8'));

export default defineConfig({
  title: 'dataimport',
  description: 'Moves customer accounts into a platform, and proves that every record arrived once.',
  lang: 'en',
  base: process.env.SITE_BASE ?? '/',
  cleanUrls: false,
  lastUpdated: false,
  // A dead link ends the build.
  ignoreDeadLinks: false,
  markdown: {
    languageAlias: { console: 'shellsession', mts: 'typescript', mjs: 'javascript', ndjson: 'json' },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    nav: [
      { text: 'Guides', link: '/runs' },
      { text: 'Reference', link: '/pages' },
      { text: 'Codes', link: '/codes' },
    ],
    sidebar,
    outline: { level: [2, 3] },
    search: { provider: 'local', options: { detailedView: false } },
    docFooter: { prev: false, next: false },
  },
});
