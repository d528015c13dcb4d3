import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

// The first one is the engine without the desktop browser around it. The browser tests take a quarter less processor time.
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]

/**
 * The Chromium for browser tests: `CHROMIUM_PATH`, one on the PATH, or the one that Playwright installed.
 * @returns {Promise<string | undefined>}
 */
export async function findChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named) return named
  const folders = (process.env.PATH ?? '').split(delimiter)
  const installed = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram)
  return installed ?? (await findPlaywrights())
}

/** @param {string} path */
export function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function findPlaywrights() {
  const { chromium } = await import('@playwright/test')
  const path = chromium.executablePath()
  return existsSync(path) ? path : undefined
}
