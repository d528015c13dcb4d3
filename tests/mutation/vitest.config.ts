import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import config from '../../vitest.config.ts'

const projects = config.test!.projects as TestProjectInlineConfiguration[]

/** The project's tests. A mutant of a constant takes effect only if each file loads its modules anew. */
export default defineConfig({
  test: {
    ...config.test,
    projects: projects.map((project) => ({ ...project, test: { ...project.test, isolate: true } })),
  },
})
