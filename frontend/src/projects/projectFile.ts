import { ApiError } from '../api/errors';

/** Whatever a project file holds. The generated types say “an object” and this is how they spell it. */
export type ProjectFile = Record<string, never>;

/** Read a project file far enough to send it; the server judges what is in it. */
export async function readProjectFile(file: File): Promise<ProjectFile> {
  try {
    const content: unknown = JSON.parse(await file.text());
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) {
      return content as ProjectFile;
    }
  } catch {
    // Falls through to the same sentence as a file that holds something else than an object.
  }
  throw new ApiError(
    400,
    'not_a_project_file',
    `“${file.name}” is not a project file. Choose a file that was exported from Gleaner.`,
  );
}
