export type * from '../gen/hawser/preview/v1/preview_pb.ts'
export {
  AssetKind,
  Cause,
  Outcome,
  Phrase,
  PreviewService,
  Severity,
  StatementKind,
  ValueKind,
  WarningKind,
} from '../gen/hawser/preview/v1/preview_pb.ts'
