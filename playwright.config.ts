import { defineConfig } from '@playwright/test'
import { findChromium } from './scripts/find-chromium.mjs'

// Chromium prerenders the popups of the address bar in each window: two more pages with scripts for every page.
const ADDRESS_BAR = ['WebUIOmniboxPopup', 'WebUIOmniboxFullPopup', 'WebUIOmniboxAimPopup']

// The features that Playwright disables. Chromium uses the last --disable-features switch only, so they are repeated here.
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

// Chromium connects to Google's services, which fails on a closed network.
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // No test looks at pixels. With so little memory Chromium draws parts of a page only, which saves a third of the time of
  // a page load. Screenshots of failed tests are as incomplete; with PWDEBUG=console they are not.
  ...(process.env.PWDEBUG ? [] : ['--force-gpu-mem-available-mb=1']),
  // A page lives for seconds, in which compiled code never pays for its compilation.
  '--js-flags=--no-opt --no-maglev --no-sparkplug',
  `--disable-features=${[...BY_PLAYWRIGHT, ...ADDRESS_BAR].join(',')}`,
]

/** Browser tests against the game as `npm start` runs it, with a desktop and a phone viewport. */
export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '*.e2e.ts',
  outputDir: '.build/e2e',
  globalSetup: './tests/e2e/global-setup.ts',
  fullyParallel: true,
  // Three leave a sixth of two cores idle while they wait for the chain, for popups and for clocks.
  workers: 4,
  // A test that fails on a busy machine runs once more and is reported as flaky.
  retries: 1,
  // Two busy cores are slow, which is not a failure.
  timeout: 150_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  forbidOnly: Boolean(process.env.CI),
  use: {
    launchOptions: { executablePath: await findChromium(), args: QUIET },
    // Without a GPU the looping animations would slow down every test.
    contextOptions: { reducedMotion: 'reduce' },
    locale: 'en-GB',
    timezoneId: 'UTC',
    // Recording a trace is slow, so only the retry records one.
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
