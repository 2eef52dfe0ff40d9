import { defineConfig } from '@playwright/test';

export default defineConfig({ testMatch: 'empty.ts', reporter: 'dot', outputDir: '../../../../reports/out/.bench' });
