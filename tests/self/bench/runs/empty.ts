import { test } from '@playwright/test';

test('Nothing', () => {});
