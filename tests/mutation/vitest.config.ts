import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import config from '../../vitest.config.ts'

const { MUTATION_PROJECT, MUTATION_TESTS = '' } = process.env
const projects = config.test!.projects as TestProjectInlineConfiguration[]

/** The tests that `run-mutants.ts` names. Each file loads its modules anew, because a mutant may be in a constant. */
export default defineConfig({
  test: {
    ...projects.find(({ test }) => test!.name === MUTATION_PROJECT)!.test,
    include: MUTATION_TESTS.split(','),
    // Not those that `npm test` runs in another project.
    exclude: ['node_modules', '.build'],
    isolate: true,
  },
})
