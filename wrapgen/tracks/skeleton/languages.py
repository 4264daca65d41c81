"""How each language's declarations are found and written. PURE.

They are found by the query that its grammar ships, and what that leaves out; written on one line without body, default
values and comments.

Captures of a query are `definition.*` or `item` (a declaration, shown up to its body), `closed` (nothing in it is
declared for others, but routes), and names of the writers in `declarations.py` for what needs one of its own.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import NamedTuple

from tree_sitter import Node

_NOTHING: frozenset[str] = frozenset()


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@dataclass(frozen=True, slots=True)
class SourceLanguage:
    """What is found and written of a language's sources; sets of node types, if nothing else is said."""

    query: str  # beside the grammar's own
    dropped: frozenset[str]  # never written: comments, bodies
    cut: Mapping[str, str] = field(default_factory=dict)  # written only up to this token, such as `=`
    whole: frozenset[str] = _NOTHING  # written as they stand, blanks included: strings
    listed: frozenset[str] = _NOTHING  # their members may be parted by line breaks alone
    hides: str = ""  # what the names of private declarations begin with: any of these
    telling: frozenset[str] = _NOTHING  # names of decorators and annotations that matter to callers
    verbs: frozenset[str] = _NOTHING  # methods that register a route
    call: tuple[str, str, str] = ("", "", "")  # the node of `receiver.verb`, and the fields of both


_JAVASCRIPT = SourceLanguage(
    query="""
    (method_definition) @item
    (variable_declarator value: (object)) @object
    (export_statement value: [(arrow_function) (function_expression)] @item)
    (arguments) @closed
    (arrow_function body: (_) @closed) (function_expression body: (_) @closed)
    (function_declaration body: (_) @closed) (generator_function_declaration body: (_) @closed)
    (method_definition body: (_) @closed)
    (decorator) @decorator
    (call_expression function: (member_expression)) @route
    """,
    hides="_#",
    dropped=_words("comment statement_block class_body"),
    cut=dict.fromkeys(
        _words(
            "required_parameter optional_parameter assignment_pattern object_assignment_pattern "
            "public_field_definition field_definition"
        ),
        "=",
    ),
    whole=_words("string template_string template_literal_type"),
    listed=_words("object_type interface_body"),
    telling=_words(
        "Controller Get Post Put Patch Delete Options Head All Sse WebSocketGateway SubscribeMessage MessagePattern "
        "EventPattern Resolver Query Mutation Subscription Entity Table Column PrimaryColumn PrimaryGeneratedColumn "
        "OneToMany ManyToOne OneToOne ManyToMany Component Directive Pipe Injectable Module Input Output Prop"
    ),
    verbs=_words("get post put patch delete del options head all use ws route"),
    call=("member_expression", "object", "property"),
)

_TYPESCRIPT = replace(
    _JAVASCRIPT,
    query=_JAVASCRIPT.query
    + """
    [(enum_declaration) (type_alias_declaration) (interface_declaration) (module) (internal_module)
     (abstract_class_declaration) (property_signature) (call_signature) (construct_signature) (index_signature)
     (method_signature) (abstract_method_signature) (function_signature) (public_field_definition)] @item
    (enum_body [(property_identifier) (string) (number) (computed_property_name) (enum_assignment)] @item)
    (type_arguments) @closed
    """,
)

LANGUAGES: Mapping[str, SourceLanguage] = {
    "python": SourceLanguage(
        query="""
        (class_definition body: (block (expression_statement (assignment) @attribute)))
        (expression_statement (call)) @mount
        (expression_statement [(assignment) (augmented_assignment)] @urls)
        (type_alias_statement) @item
        (decorated_definition) @decorated
        (class_definition body: (block (function_definition) @init))
        (class_definition body: (block (decorated_definition definition: (function_definition) @init)))
        (function_definition body: (_) @closed) (lambda) @closed
        (for_statement) @closed (while_statement) @closed (match_statement) @closed
        """,
        hides="_",
        dropped=_words("comment line_continuation"),
        cut={"default_parameter": "=", "typed_default_parameter": "="},
        whole=_words("string"),
        telling=_words(
            "property cached_property setter getter deleter staticmethod classmethod abstractmethod overload final "
            "override dataclass dataclass_transform contextmanager asynccontextmanager runtime_checkable define frozen "
            "mutable attrs attr s unique"
        ),
        verbs=_words(
            "route get post put patch delete head options trace websocket api_route websocket_route action api_view"
        ),
    ),
    "javascript": replace(_JAVASCRIPT, query=f"{_JAVASCRIPT.query}(field_definition) @item"),
    "typescript": _TYPESCRIPT,
    "tsx": _TYPESCRIPT,
    "go": SourceLanguage(
        query="""
        [(type_alias) (method_elem) (type_elem)] @item
        (field_declaration) @item
        (const_declaration) @constants
        (function_declaration body: (_) @closed) (method_declaration body: (_) @closed) (func_literal) @closed
        (call_expression function: (selector_expression)) @route
        """,
        dropped=_words("comment block"),
        whole=_words("interpreted_string_literal raw_string_literal"),
        listed=_words("field_declaration_list interface_type"),
        verbs=_words(
            "GET POST PUT PATCH DELETE HEAD OPTIONS Any Get Post Put Patch Delete Head Options All Use Static Handle "
            "HandleFunc Method Group Route PathPrefix Mount"
        ),
        call=("selector_expression", "operand", "field"),
    ),
    "rust": SourceLanguage(
        query="""
        [(function_signature_item) (impl_item) (associated_type) (field_declaration) (enum_variant)] @item
        (declaration_list (const_item) @item)
        (attribute_item) @attribute_item
        (function_item body: (_) @closed) (closure_expression) @closed
        (call_expression function: (field_expression)) @route
        """,
        dropped=_words("line_comment block_comment block"),
        cut={"const_item": "="},
        whole=_words("string_literal raw_string_literal char_literal"),
        telling=_words("get post put patch delete head options route connect trace catch"),
        verbs=_words("route nest nest_service route_service"),
        call=("field_expression", "value", "field"),
    ),
    "java": SourceLanguage(
        query="""
        [(enum_declaration) (record_declaration) (annotation_type_declaration) (constructor_declaration)
         (field_declaration) (constant_declaration) (enum_constant) (annotation_type_element_declaration)] @item
        (method_declaration body: (_) @closed) (constructor_declaration body: (_) @closed)
        (lambda_expression) @closed (enum_constant body: (_) @closed) (object_creation_expression (class_body) @closed)
        """,
        dropped=_words("line_comment block_comment block class_body"),
        cut={"variable_declarator": "=", "annotation_type_element_declaration": "default"},
        whole=_words("string_literal character_literal"),
        telling=_words(
            "RestController Controller RequestMapping GetMapping PostMapping PutMapping PatchMapping DeleteMapping "
            "MessageMapping Path GET POST PUT PATCH DELETE HEAD OPTIONS Entity Table Document Embeddable Id Column "
            "OneToMany ManyToOne OneToOne ManyToMany Data Value Builder Getter Setter FeignClient FunctionalInterface"
        ),
    ),
}


_OPENERS = frozenset("([<")
_CLOSERS = frozenset(")]>,;")
_SEPARATORS = frozenset(",;")
_ENDS_LIST = frozenset(")]}>")
_BEGINNING = 100  # bytes that are enough to tell what a call begins with
ELIDED = "(...)"  # what stands for the parameters of a bare signature


class _Token(NamedTuple):
    start: int
    end: int
    text: str
    member: bool = False


class DeclarationWriter:
    """Writes parts of one source."""

    def __init__(self, source: bytes, language: SourceLanguage) -> None:
        self._source = source
        self.language = language

    def text(self, node: Node) -> str:
        if not node.child_count:
            return self._token(node, member=False).text
        return self._written(list(self._tokens(node, (), node.end_byte)))

    def raw(self, node: Node) -> str:
        return self._source[node.start_byte : node.end_byte].decode(errors="replace")

    def beginning(self, node: Node) -> str:
        return self._source[node.start_byte : min(node.end_byte, node.start_byte + _BEGINNING)].decode(errors="replace")

    def field(self, node: Node, name: str) -> str:
        part = node.child_by_field_name(name)
        return self.text(part) if part is not None else ""

    def signature(
        self, node: Node, *, until: Node | None = None, params: Node | None = None, without: Collection[Node] = ()
    ) -> tuple[str, str]:
        """A declaration up to a part of it, without some parts; and the same without its parameters."""
        end = until.start_byte if until else node.end_byte
        tokens = list(self._tokens(node, without, end))
        line = self._written(tokens)
        if params is None or self.text(params) == "()":
            return line, line
        before = [token for token in tokens if token.end <= params.start_byte]
        after = [token for token in tokens if token.start >= params.end_byte]
        elided = _Token(params.start_byte, params.end_byte, ELIDED)
        return line, self._written([*before, elided, *after])

    def _tokens(self, node: Node, without: Collection[Node], end: int) -> Iterator[_Token]:
        language = self.language
        stack = [(node, False)]
        while stack:
            current, member = stack.pop()
            kind = current.type
            if current.start_byte >= end or kind in language.dropped:
                continue
            children = current.children
            if not children or kind in language.whole:
                yield self._token(current, member)
                continue
            children = _kept(children, language.cut.get(kind), without)
            listed = kind in language.listed
            marked = [(child, listed and child.is_named) for child in children]
            if marked:
                marked[0] = (marked[0][0], marked[0][1] or member)
            stack.extend(reversed(marked))

    def _token(self, node: Node, member: bool) -> _Token:
        return _Token(node.start_byte, node.end_byte, " ".join(self.raw(node).splitlines()), member)

    def _written(self, tokens: list[_Token]) -> str:
        parts: list[str] = []
        last: _Token | None = None
        for token in tokens:
            if not token.text:
                continue
            if last is not None:
                parts.append(self._between(last, token, parts))
            parts.append(token.text)
            last = token
        return "".join(parts).strip()

    def _between(self, last: _Token, token: _Token, parts: list[str]) -> str:
        """The blank that parts two tokens; a separator that a line break made needless is taken back."""
        gap = self._source[last.end : token.start]
        cut = bool(gap.strip())
        broken = cut or b"\n" in gap or b"\r" in gap
        if broken and last.text in _SEPARATORS and token.text in _ENDS_LIST:
            parts.pop()
            return " " if token.text == "}" else ""
        if token.member and last.text not in {"{", ",", ";", "{|"} and broken:
            return "; "
        if not gap or (broken and (last.text in _OPENERS or token.text in _CLOSERS)):
            return ""
        return " "


def _kept(children: list[Node], value: str | None, without: Collection[Node]) -> list[Node]:
    """Parts before the value, less those left out and the commas behind them."""
    if value is not None:
        children = list(takewhile(lambda child: child.type != value, children))
    if not without:
        return children
    gone = [child in without for child in children]
    return [
        child
        for index, child in enumerate(children)
        if not gone[index] and not (child.type == "," and index and gone[index - 1])
    ]
