// The part of monday's schema that connectors use, with monday's names, arguments and nullability.
import { buildSchema } from 'graphql';

const column = 'id: ID! type: String! text: String value: JSON column: Column!';

/** monday's schema, cut to what is emulated. */
export const mondaySchema = buildSchema(`
  scalar JSON
  scalar Date
  scalar ISO8601DateTime
  scalar CompareValue

  enum State { active all archived deleted }
  enum BoardKind { private public share }
  enum BoardObjectType { board custom_object document sub_items_board }
  enum ItemsOrderByDirection { asc desc }
  enum ItemsQueryRuleOperator { any_of contains_text greater_than_or_equals lower_than_or_equal }

  input ItemsQueryRule { column_id: ID! compare_value: CompareValue! operator: ItemsQueryRuleOperator }
  input ItemsQueryOrderBy { column_id: String! direction: ItemsOrderByDirection }
  input ItemsQuery { rules: [ItemsQueryRule!] order_by: [ItemsQueryOrderBy!] ids: [ID!] }

  type Complexity { before: Int! after: Int! query: Int! reset_in_x_seconds: Int! }
  type Account { id: ID! name: String! slug: String! }
  type User { id: ID! name: String! email: String! enabled: Boolean! is_admin: Boolean url: String! account: Account! }
  type Column { id: ID! title: String! type: String! archived: Boolean! settings_str: String! }
  type Group { id: ID! title: String! }

  interface ColumnValue { ${column} }
  type TextValue implements ColumnValue { ${column} }
  type LongTextValue implements ColumnValue { ${column} }
  type StatusValue implements ColumnValue { ${column} label: String }
  type DateValue implements ColumnValue { ${column} date: String time: String }
  type NumbersValue implements ColumnValue { ${column} number: Float }
  type MirrorValue implements ColumnValue { ${column} display_value: String! }
  type BoardRelationValue implements ColumnValue { ${column} display_value: String! }

  type Board {
    id: ID! name: String! description: String state: State! type: BoardObjectType board_kind: BoardKind! url: String! updated_at: ISO8601DateTime
    columns(ids: [String]): [Column] groups: [Group] items_count: Int
    items_page(limit: Int! = 25, cursor: String, query_params: ItemsQuery): ItemsResponse!
  }
  type ItemsResponse { cursor: String items: [Item!]! }
  type Item {
    id: ID! name: String! state: State url: String! created_at: Date updated_at: Date creator: User board: Board group: Group
    column_values(ids: [String!]): [ColumnValue!]!
    updates(limit: Int = 25, page: Int = 1): [Update!]
  }
  type Update {
    id: ID! body: String! text_body: String created_at: Date updated_at: Date creator: User creator_id: String
    item_id: String item: Item
  }

  type Query {
    complexity: Complexity
    me: User
    account: Account
    users(ids: [ID!], limit: Int, page: Int): [User]
    boards(ids: [ID!], limit: Int = 25, page: Int = 1, state: State = active, board_kind: BoardKind): [Board]
    items(ids: [ID!], limit: Int = 25, page: Int = 1, exclude_nonactive: Boolean): [Item]
    next_items_page(cursor: String!, limit: Int! = 25): ItemsResponse!
    updates(ids: [ID!], limit: Int = 25, page: Int = 1): [Update!]
  }

  type Mutation {
    complexity: Complexity
    create_item(board_id: ID!, item_name: String!, group_id: String, column_values: JSON, create_labels_if_missing: Boolean): Item
    change_multiple_column_values(board_id: ID!, item_id: ID, column_values: JSON!, create_labels_if_missing: Boolean): Item
    archive_item(item_id: ID): Item
    delete_item(item_id: ID): Item
    create_update(item_id: ID, body: String!, parent_id: ID): Update
    delete_update(id: ID!): Update
  }
`);
