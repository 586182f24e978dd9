import type { Complete } from './complete';
import type { components } from './generated/schema';

type Schemas = components['schemas'];

/** Objects as the server answers them. */
export type Me = Complete<Schemas['Me']>;
export type Account = Complete<Schemas['Person']>;
export type User = Complete<Schemas['User']>;
export type ApiToken = Complete<Schemas['Token']>;
export type Project = Complete<Schemas['Project']>;
export type Role = Schemas['Role'];
export type Membership = Complete<Schemas['Membership']>;
export type Secret = Complete<Schemas['Secret']>;
export type ImportReport = Complete<Schemas['ImportReport']>;
export type Inspector = Complete<Schemas['Inspector']>;
export type InspectorType = Schemas['InspectorType'];
export type Action = Schemas['Action'];
export type ActionType = Schemas['ActionType'];
export type Template = Complete<Schemas['Template']>;
export type Replay = Complete<Schemas['Replay']>;
export type ReplayStep = Replay['steps'][number];
export type Preview = Complete<Schemas['Preview']>;
export type Cookie = Complete<Schemas['Cookie']>;
export type Crawler = Complete<Schemas['Crawler']>;
export type Column = Complete<Schemas['Column']>;
export type Indexer = Complete<Schemas['Indexer']>;
export type IndexerState = Complete<Schemas['IndexerState']>;
export type Build = Complete<Schemas['Build']>;
export type IndexerStatus = Schemas['IndexerStatus'];
export type Dictionary = Complete<Schemas['Dictionary']>;
export type Runner = Complete<Schemas['Runner']>;
export type Statistics = Runner['statistics'];
export type RunnerStatus = Schemas['RunnerStatus'];
export type Minute = Complete<Schemas['Minute']>;
export type LogLine = Complete<Schemas['LogLine']>;
export type LogLevel = Schemas['LogLevel'];
export type Document = Complete<Schemas['Document']>;
export type Page = Complete<Schemas['Page']>;
export type PageState = Schemas['PageState'];
export type ClusterNode = Complete<Schemas['Node']>;
export type Invitation = Complete<Schemas['Invitation']>;
export type Job = Complete<Schemas['Job']>;
export type JobPlacement = Job['placements'][number];
export type JobState = Schemas['JobState'];
export type SearchAnswer = Complete<Schemas['SearchAnswer']>;
export type SearchResult = SearchAnswer['results'][number];
export type ResultColumn = SearchAnswer['columns'][number];
export type Piece = Complete<Schemas['Piece']>;
export type Explanation = Complete<Schemas['Explanation']>;
export type ExplanationPart = Explanation['parts'][number];
export type JudgedQuery = Complete<Schemas['JudgedQuery']>;
export type Evaluation = Complete<Schemas['Evaluation']>;
export type SettingsComparison = Complete<Schemas['SettingsComparison']>;
export type Tuning = Complete<Schemas['Tuning']>;
export type Trace = Complete<Schemas['Trace']>;
export type TraceStep = Trace['steps'][number];

/** Objects as they are sent. */
export type InspectorRequest = Schemas['InspectorRequest'];
export type TemplateRequest = Schemas['TemplateRequest'];
export type NewRunnerRequest = Schemas['NewRunnerRequest'];
export type CrawlerRequest = Schemas['CrawlerRequest'];
export type IndexerRequest = Schemas['IndexerRequest'];
export type DictionaryRequest = Schemas['DictionaryRequest'];
export type SearchBody = Schemas['SearchBodyRequest'];
export type SearchCondition = Schemas['ConditionRequest'];
/** Settings of a ranking to try; what is left out stays as it is stored. */
export type TriedSettings = Schemas['SettingsRequest'];
