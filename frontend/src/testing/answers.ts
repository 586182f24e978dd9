import { page, type Handlers } from './fakeServer';
import { sampleProject, sampleTemplate, signedIn } from './samples';

/** A server with somebody signed in and one project; what a test adds goes before the usual. */
export function projectServer(more: Handlers = {}): Handlers {
  const usual = {
    'GET /api/v1/auth/me': { body: signedIn },
    'GET /api/v1/projects': page([sampleProject()]),
    'GET /api/v1/projects/7': { body: sampleProject() },
    'GET /api/v1/templates': page([sampleTemplate()]),
    'GET /api/v1/templates/3': { body: sampleTemplate() },
    'GET /api/v1/[a-z]+': page([]),
  };
  // Named first so that they are tried first, and last so that they win over the usual answer of the same name.
  return { ...more, ...usual, ...more };
}
