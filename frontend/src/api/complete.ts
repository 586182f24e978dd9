import type { paths } from './generated/schema';

/** `T` with every property there, all the way down. */
export type Complete<T> = T extends (infer Entry)[]
  ? Complete<Entry>[]
  : T extends object
    ? { [Key in keyof T]-?: Complete<Exclude<T[Key], undefined>> }
    : T;

type CompleteResponses<Responses> = {
  [Status in keyof Responses]: Responses[Status] extends { content: infer Content }
    ? Omit<Responses[Status], 'content'> & { content: { [Media in keyof Content]: Complete<Content[Media]> } }
    : Responses[Status];
};

type CompleteOperation<Operation> = Operation extends { responses: infer Responses }
  ? Omit<Operation, 'responses'> & { responses: CompleteResponses<Responses> }
  : Operation;

/**
 * The API's paths with whole answers.
 *
 * OpenAPI marks a property with a default as optional for requests and answers alike. A request may leave it out; an
 * answer of our server always has it.
 */
export type CompletePaths = {
  [Path in keyof paths]: { [Method in keyof paths[Path]]: CompleteOperation<paths[Path][Method]> };
};
