// The part of Linear's schema that connectors use, with Linear's names, arguments and nullability.
import { buildSchema } from 'graphql';

const formatConnectionTypes = (name: string) => `
  type ${name}Edge { cursor: String! node: ${name}! }
  type ${name}Connection { edges: [${name}Edge!]! nodes: [${name}!]! pageInfo: PageInfo! }`;

const paging = `
    after: String before: String first: Int last: Int includeArchived: Boolean orderBy: PaginationOrderBy`;

/** Linear's schema, cut to what is emulated. */
export const linearSchema = buildSchema(`
  scalar DateTime
  scalar DateTimeOrDuration
  scalar TimelessDate

  enum PaginationOrderBy { createdAt updatedAt }

  type PageInfo { endCursor: String hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String }

  input DateComparator {
    eq: DateTimeOrDuration gt: DateTimeOrDuration gte: DateTimeOrDuration lt: DateTimeOrDuration
    lte: DateTimeOrDuration neq: DateTimeOrDuration
  }
  input IDComparator { eq: ID in: [ID!] neq: ID nin: [ID!] }
  input StringComparator {
    contains: String containsIgnoreCase: String eq: String eqIgnoreCase: String in: [String!] neq: String
    startsWith: String
  }
  input NumberComparator { eq: Float gt: Float gte: Float in: [Float!] lt: Float lte: Float }
  input TeamFilter { id: IDComparator key: StringComparator name: StringComparator }
  input NullableUserFilter { id: IDComparator email: StringComparator null: Boolean }
  input WorkflowStateFilter { id: IDComparator name: StringComparator type: StringComparator }
  input IssueFilter {
    and: [IssueFilter!] or: [IssueFilter!] id: IDComparator createdAt: DateComparator updatedAt: DateComparator
    number: NumberComparator title: StringComparator team: TeamFilter assignee: NullableUserFilter
    creator: NullableUserFilter state: WorkflowStateFilter
  }
  input NullableIssueFilter { id: IDComparator }
  input CommentFilter {
    and: [CommentFilter!] or: [CommentFilter!] id: IDComparator createdAt: DateComparator updatedAt: DateComparator
    issue: NullableIssueFilter
  }

  type Organization { id: ID! name: String! urlKey: String! createdAt: DateTime! updatedAt: DateTime! }

  type User {
    id: ID! name: String! displayName: String! email: String! active: Boolean! admin: Boolean! url: String!
    avatarUrl: String createdAt: DateTime! updatedAt: DateTime! organization: Organization!
  }

  type WorkflowState { id: ID! name: String! type: String! color: String! position: Float! team: Team! }

  type Team {
    id: ID! key: String! name: String! private: Boolean! createdAt: DateTime! updatedAt: DateTime!
    issues(filter: IssueFilter ${paging}): IssueConnection!
    states(${paging}): WorkflowStateConnection!
  }

  type Issue {
    id: ID! identifier: String! number: Float! title: String! description: String priority: Float!
    priorityLabel: String! url: String! branchName: String! trashed: Boolean
    createdAt: DateTime! updatedAt: DateTime! archivedAt: DateTime completedAt: DateTime canceledAt: DateTime
    dueDate: TimelessDate estimate: Float
    state: WorkflowState! team: Team! assignee: User creator: User parent: Issue
    comments(filter: CommentFilter ${paging}): CommentConnection!
  }

  type Comment {
    id: ID! body: String! url: String! createdAt: DateTime! updatedAt: DateTime! archivedAt: DateTime editedAt: DateTime
    user: User issue: Issue parent: Comment
  }

  ${['Issue', 'Comment', 'Team', 'User', 'WorkflowState'].map(formatConnectionTypes).join('\n')}

  type IssuePayload { issue: Issue lastSyncId: Float! success: Boolean! }
  type IssueArchivePayload { entity: Issue lastSyncId: Float! success: Boolean! }
  type CommentPayload { comment: Comment! lastSyncId: Float! success: Boolean! }
  type DeletePayload { entityId: String! lastSyncId: Float! success: Boolean! }

  input IssueCreateInput {
    id: String teamId: String! title: String description: String priority: Int stateId: String assigneeId: String
    parentId: String dueDate: TimelessDate estimate: Int createdAt: DateTime
  }
  input IssueUpdateInput {
    title: String description: String priority: Int stateId: String assigneeId: String teamId: String parentId: String
    dueDate: TimelessDate estimate: Int trashed: Boolean
  }
  input CommentCreateInput { id: String issueId: String body: String parentId: String createdAt: DateTime }
  input CommentUpdateInput { body: String }

  type Query {
    viewer: User!
    organization: Organization!
    users(${paging}): UserConnection!
    teams(filter: TeamFilter ${paging}): TeamConnection!
    team(id: String!): Team!
    workflowStates(${paging}): WorkflowStateConnection!
    issues(filter: IssueFilter ${paging}): IssueConnection!
    issue(id: String!): Issue!
    comments(filter: CommentFilter ${paging}): CommentConnection!
    comment(id: String): Comment!
  }

  type Mutation {
    issueCreate(input: IssueCreateInput!): IssuePayload!
    issueUpdate(id: String!, input: IssueUpdateInput!): IssuePayload!
    issueArchive(id: String!, trash: Boolean): IssueArchivePayload!
    issueUnarchive(id: String!): IssueArchivePayload!
    issueDelete(id: String!, permanentlyDelete: Boolean): IssueArchivePayload!
    commentCreate(input: CommentCreateInput!): CommentPayload!
    commentUpdate(id: String!, input: CommentUpdateInput!): CommentPayload!
    commentDelete(id: String!): DeletePayload!
  }
`);
