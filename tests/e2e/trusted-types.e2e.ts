import type { Page } from '@playwright/test'
import { DESKTOP_ONLY, expect, test } from './browser-test.ts'
import { test as consoleTest } from './console-test.ts'

/** Each way in which a string could become code, tried by a script of the page. Returns those that were not refused. */
const tryToRunStrings = (page: Page) =>
  page.evaluate(() => {
    const markup = '<img src="x" onerror="document.title = 1">'
    const sinks: Record<string, () => unknown> = {
      innerHTML: () => (document.createElement('div').innerHTML = markup),
      outerHTML: () => (document.body.appendChild(document.createElement('div')).outerHTML = markup),
      insertAdjacentHTML: () => document.body.insertAdjacentHTML('beforeend', markup),
      'document.write': () => document.write(markup),
      srcdoc: () => (document.createElement('iframe').srcdoc = markup),
      'script.text': () => (document.createElement('script').text = 'document.title = 1'),
      'script.src': () => (document.createElement('script').src = '/assets/x.js'),
      'event handler': () => document.body.setAttribute('onclick', 'document.title = 1'),
      DOMParser: () => new DOMParser().parseFromString(markup, 'text/html'),
      // oxlint-disable-next-line no-eval -- it has to be refused
      eval: () => (0, eval)('1'),
      Function: () => new Function('return 1')(),
      // A policy would turn strings into trusted values. The page may not create one.
      policy: () =>
        (
          globalThis as unknown as { trustedTypes: { createPolicy(name: string, rules: object): unknown } }
        ).trustedTypes.createPolicy('default', { createHTML: (text: string) => text }),
    }
    const isRefused = (use: () => unknown) => {
      try {
        use()
        return false
      } catch {
        return true
      }
    }
    const tryAll = () => Object.entries(sinks).filter(([, use]) => !isRefused(use))
    // From a timer of the page: the policy does not cover code that the browser's debugger evaluates.
    return new Promise<{ accepted: string[]; tried: number; title: string }>((resolve) => {
      setTimeout(() => {
        const accepted = tryAll().map(([name]) => name)
        resolve({ accepted, tried: Object.keys(sinks).length, title: document.title })
      })
    })
  })

/** Opens a page, tries every string on it, and expects that all are refused. */
async function expectNoStringRuns(page: Page, path: string, complaints: string[]): Promise<void> {
  const response = await page.goto(path)
  const policy = response!.headers()['content-security-policy']
  expect(policy).toContain("require-trusted-types-for 'script'")
  expect(policy).toContain("trusted-types 'none'")
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // Until now the page itself has done nothing that the browser refuses.
  expect(complaints).toEqual([])
  const { accepted, tried, title } = await tryToRunStrings(page)
  expect(accepted).toEqual([])
  expect(tried).toBe(12)
  expect(title).not.toBe('1')
  expect(complaints.length).toBeGreaterThan(5)
  complaints.length = 0
}

test('the game refuses every string that would become markup or code', DESKTOP_ONLY, ({ page, complaints }) =>
  expectNoStringRuns(page, '/workers', complaints),
)

consoleTest('the console refuses them as well', DESKTOP_ONLY, ({ page, complaints }) =>
  expectNoStringRuns(page, '/', complaints),
)
