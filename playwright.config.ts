import { defineConfig } from '@playwright/test'
import { findChromium } from './scripts/find-chromium.mjs'

// Each window of Chromium draws the popups of its address bar beforehand: two pages with scripts for every page of ours.
const ADDRESS_BAR = ['WebUIOmniboxPopup', 'WebUIOmniboxFullPopup', 'WebUIOmniboxAimPopup']

// What Playwright turns off by itself: of two such switches Chromium hears the last one only.
const BY_PLAYWRIGHT = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
]

// Chromium looks for Google's services by itself; on a closed network every look is a failed connection.
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...BY_PLAYWRIGHT, ...ADDRESS_BAR].join(',')}`,
]

/** Browser stories against the game as `npm start` runs it, on a desktop and on a phone. */
export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '*.e2e.ts',
  outputDir: '.build/e2e',
  globalSetup: './tests/e2e/global-setup.ts',
  fullyParallel: true,
  workers: 2,
  // A story that fails on a busy machine is told once more, and named as flaky at the end.
  retries: 1,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  forbidOnly: Boolean(process.env.CI),
  use: {
    launchOptions: { executablePath: await findChromium(), args: QUIET },
    // Loops of clouds and bolls are drawn by the CPU here, and would slow every story down.
    contextOptions: { reducedMotion: 'reduce' },
    locale: 'en-GB',
    timezoneId: 'UTC',
    // To write every step down takes its time: a story that failed does it when it is told again.
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'desktop', use: { viewport: { width: 1440, height: 900 } } },
    {
      name: 'phone',
      grepInvert: /@once/,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
  ],
})
