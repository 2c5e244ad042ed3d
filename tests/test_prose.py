"""What openapi.yaml says is held by tests: each paragraph of its introduction, and each sentence of an operation.

Whoever writes a paragraph there, or changes what one says, writes the test, and names it here or, of an operation, in
operations_prose.toml.
"""

from __future__ import annotations

import functools
import re
import tomllib
from pathlib import Path

import pytest

from tests.contract import document, operations

ROOT = Path(__file__).resolve().parent
F, V, W = "service/following/", "service/webhooks/", "service/serving/"
S, P, H, T = "service/people/", "service/play/", "service/http/", "service/talk/"

HELD: dict[str, tuple[str, ...]] = {
    "Tegami runs card": (
        "test_clients.py::test_programs_play_a_game_to_the_end_while_a_spectator_polls",
    ),
    "1. `POST /api/players`": ("test_clients.py::test_the_loop_of_the_documentation_plays_a_game",),
    "The operations with the tag `playing`": (
        "test_contract.py::test_ten_operations_play_every_game",
        "test_clients_document.py::test_every_snippet_is_run_by_a_test",
        "service/pages/test_documents.py::test_every_link_of_a_document_leads_somewhere",
    ),
    "These have a meaning": ("test_contract.py::test_the_words_of_the_glossary_are_fields",),
    "Everybody starts as a guest": (
        f"{S}test_guests.py::test_a_guest_plays_at_once",
        f"{H}test_every_operation.py::test_a_wrong_token_is_refused",
        f"{H}test_every_operation.py::test_a_token_that_has_ended_is_refused_where_none_is_needed",
        f"{H}test_bad_headers.py::test_a_cookie_that_is_no_text_is_an_unknown_one",
    ),
    "`link.url` opens the page": (
        f"{S}test_sign_ins.py::test_a_guest_who_signs_out_everywhere_keeps_the_link",
    ),
    "A guest becomes a registered player": (
        f"{S}test_registration.py::test_a_guest_keeps_the_seats",
        f"{S}test_registration.py::test_a_key_verifies_an_address_once",
        f"{S}test_no_account_enumeration.py::test_registering_is_the_same_with_every_address",
    ),
    "Registering, a new password": (
        f"{S}test_other_ways_in.py::test_registering_ends_everything_else",
        f"{S}test_other_ways_in.py::test_a_new_password_ends_everything_else_and_the_owner_is_told",
        f"{S}test_other_ways_in.py::test_a_new_address_ends_everything_else_and_the_old_address_is_told",
        f"{S}test_other_ways_in.py::test_a_new_password_forgets_an_address_that_was_to_come",
    ),
    "A token may do what its scopes say": (
        f"{S}test_tokens.py::test_every_operation_says_who_may_use_it",
        f"{S}test_tokens.py::test_a_token_may_do_exactly_what_its_scopes_say",
    ),
    "* `read`: who the player is": (
        f"{S}test_tokens.py::test_a_token_may_do_exactly_what_its_scopes_say",
    ),
    "`POST /api/players` gives": (
        f"{S}test_tokens.py::test_the_first_token_of_a_program_may_do_what_it_asks_for_too",
        f"{S}test_tokens.py::test_without_a_wish_a_token_reads_and_plays",
        f"{S}test_tokens.py::test_an_expired_token_is_unknown",
    ),
    "Anything that changes how": (
        f"{S}test_tokens.py::test_no_scope_opens_what_needs_a_browser_or_closes_what_is_public",
        f"{S}test_registration.py::test_a_token_may_not_change_how_its_player_signs_in",
    ),
    "A server may require": (
        f"{S}test_admission_codes.py::test_without_a_code_nobody_becomes_a_player",
    ),
    "Requests that change something": (
        f"{H}test_cross_site.py::test_requests_of_other_sites_are_refused",
        f"{H}test_cross_site.py::test_requests_with_a_token_are_accepted_from_anywhere",
        f"{H}test_other_sites.py::test_a_page_with_a_token_plays_and_reads_what_it_needs",
    ),
    "A *ruleset* is the rules": (
        f"{P}test_table_setup.py::test_the_opener_sits_down_as_host",
        f"{P}test_table_setup.py::test_the_seats_are_drawn_unless_the_host_wants_their_order",
        f"{P}test_table_setup.py::test_the_person_who_has_sat_longest_becomes_host",
        f"{P}test_table_setup.py::test_only_the_host_adds_and_removes_house_players",
        f"{P}test_automatic_starts.py::test_it_waits_ten_seconds_for_the_opener_and_starts_without",
        f"{P}test_table_setup.py::test_the_table_is_deleted_when_the_last_person_leaves",
        f"{P}test_table_setup.py::test_a_table_that_does_not_start_is_deleted_after_two_weeks",
        f"{P}test_rematch.py::test_the_others_are_invited_and_places_are_kept_for_them",
        f"{P}test_rematch.py::test_invited_players_can_see_the_rematch_of_a_private_game",
    ),
    "A player may say": (
        f"{S}test_programs_of_people.py::test_a_program_is_marked_wherever_its_name_stands",
        f"{S}test_programs_of_people.py::test_it_can_be_said_and_taken_back_at_any_time",
        f"{S}test_programs_of_people.py::test_a_program_of_a_person_is_no_house_player",
    ),
    "A *private* table": (
        f"{P}test_private_tables.py::test_every_route_of_a_private_table_is_404_for_strangers",
        f"{P}test_private_tables.py::test_the_invitation_lets_people_see_the_table_and_sit_down",
        f"{P}test_private_tables.py::test_a_private_table_is_listed_only_for_the_people_at_it",
    ),
    "Whoever the host removes": (
        f"{P}test_removals.py::test_no_key_of_the_table_admits_whoever_was_removed",
        f"{P}test_removals.py::test_an_invitation_of_the_host_after_the_removal_admits",
        f"{P}test_removals.py::test_a_public_table_admits_nobody_who_was_removed",
        f"{P}test_removals.py::test_an_invitation_of_somebody_who_was_removed_ends",
    ),
    "`legal` is complete": (
        f"{P}test_moves.py::test_a_legal_answer_is_logged",
        f"{P}test_moves.py::test_a_seat_that_is_not_waited_for_has_no_legal_action",
    ),
    "Some lists are long": (
        "service/drawing/test_action_narrowing.py::test_every_action_is_reached_in_one_way",
    ),
    "`asked` names the question": (
        f"{P}test_moves.py::test_an_answer_to_any_other_question_is_stale",
    ),
    "* if the question is still open": (
        f"{P}test_moves.py::test_a_legal_answer_is_logged",
        f"{P}test_moves.py::test_a_repeated_answer_is_acknowledged",
        f"{P}test_moves.py::test_after_the_end_a_repeated_answer_is_still_acknowledged",
        f"{P}test_moves.py::test_a_different_answer_to_the_same_question_is_refused",
        f"{P}test_moves.py::test_an_answer_that_comes_too_late_is_stale",
        f"{P}test_moves.py::test_an_illegal_action_is_refused_with_the_reason_and_the_legal_ones",
    ),
    "Seats that choose in secret": (
        f"{P}test_sealed_choices.py::test_a_choice_does_not_change_the_other_seats_question",
    ),
    "A table has a *pace*": (
        f"{P}test_timeouts.py::test_the_fallback_is_played_when_time_runs_out",
        f"{P}test_timeouts.py::test_a_late_answer_counts_if_it_comes_before_the_time_out",
        f"{P}test_timeouts.py::test_each_table_sets_how_many_time_outs_lead_to_a_takeover",
        f"{P}test_handovers.py::test_a_house_player_takes_the_seat_of_a_player_who_resigns",
        f"{P}test_handovers.py::test_the_other_player_wins_a_game_of_two",
    ),
    "A due time that has been announced": (
        "service/clocks/test_arithmetic.py::test_deadlines_are_never_brought_forward",
        "service/clocks/test_arithmetic.py::test_a_day_is_24_hours_even_when_daylight_saving_changes",
        "service/clocks/test_arithmetic.py::test_no_seat_is_charged_without_a_decision",
        "service/views/test_clock_view.py::test_an_outage_postpones_every_deadline",
    ),
    "Anything that needs consent": (
        f"{P}test_proposals.py::test_a_proposal_is_carried_out_once_everybody_has_agreed",
        f"{P}test_proposals.py::test_one_refusal_ends_a_proposal",
        f"{P}test_proposals.py::test_a_proposal_without_all_answers_lapses_after_72_hours",
        f"{P}test_proposals.py::test_house_players_always_agree",
    ),
    "A seat belongs to a tenure": (
        f"{P}test_handovers.py::test_the_former_holder_still_sees_the_past_of_the_seat",
        f"{P}test_handovers.py::test_a_former_holder_can_never_take_another_seat_of_that_game",
    ),
    "Answers that can be polled": (
        f"{H}test_idle_poll.py::test_a_poll_without_news_is_304_without_a_body",
        "service/views/test_polling.py::test_poll_after_follows_the_pace_and_the_time_since_the_last_move",
        "service/views/test_polling.py::test_my_turns_change_when_a_game_begins",
        "service/views/test_polling.py::test_my_turns_change_when_a_game_of_mine_ends",
        "service/views/test_polling.py::test_my_turns_change_when_i_am_asked_to_vote",
        "service/views/test_polling.py::test_my_turns_change_when_a_game_changes_hands",
    ),
    "`GET /api/me/changes?after=…`": (
        f"{F}test_changes.py::test_the_first_answer_says_only_where_to_begin",
        f"{F}test_changes.py::test_a_start_and_turns_are_changes_and_moves_of_others_are_not",
        f"{F}test_changes.py::test_the_end_of_a_game_is_a_change",
        f"{F}test_changes.py::test_proposals_and_what_they_lead_to_are_changes",
        f"{F}test_changes.py::test_a_handover_is_a_change_for_the_table_and_for_the_former_holder",
        f"{F}test_changes.py::test_an_invitation_by_mail_is_a_change_for_the_owner_of_the_address",
        f"{F}test_changes.py::test_talk_is_a_change_for_everybody_else_who_may_read_it",
        f"{F}test_changes.py::test_a_change_says_where_to_look_and_from_which_revision_on",
        f"{F}test_changes.py::test_whoever_has_not_asked_for_30_days_begins_anew",
    ),
    "With `Prefer: wait=30`": (
        f"{W}test_waiting.py::test_an_answer_waits_for_news",
        f"{W}test_waiting.py::test_a_game_waits_for_its_next_revision",
        f"{W}test_waiting.py::test_without_news_the_answer_comes_when_the_time_is_over",
        f"{W}test_waiting.py::test_one_player_does_not_take_the_room_of_all",
        f"{W}test_waiting.py::test_the_next_request_ends_the_wait",
        f"{W}test_waiting.py::test_whoever_only_looks_on_without_signing_in_does_not_wait",
        f"{W}test_waiting.py::test_a_preference_is_read",
    ),
    "With `Accept: text/event-stream`": (
        f"{F}test_changes.py::test_server_sent_events_are_the_changes_in_order",
        f"{F}test_changes.py::test_a_program_comes_back_to_a_stream_where_it_was",
        f"{W}test_waiting.py::test_a_stream_waits_for_events_without_being_asked",
    ),
    "`POST /api/me/feeds` gives": (
        "service/pages/test_feeds.py::test_a_reader_is_told_of_a_turn_and_of_nothing_secret",
        "service/pages/test_feeds.py::test_a_calendar_has_the_deadlines",
        "service/pages/test_feeds.py::test_a_deadline_that_is_moved_keeps_its_uid",
        "service/pages/test_feeds.py::test_without_news_the_answer_is_304",
        "service/pages/test_feeds.py::test_a_revoked_feed_is_gone_and_others_stay",
    ),
    "`POST /api/me/webhooks` has": (
        f"{V}test_courier.py::test_a_program_is_told_of_what_it_would_be_listed",
        f"{V}test_courier.py::test_it_says_what_the_subject_of_a_mail_says_and_nothing_secret",
        f"{V}test_webhooks.py::test_both_secrets_sign_for_a_day",
    ),
    "Answer with 2xx": (
        f"{V}test_courier.py::test_what_fails_is_sent_again_later_and_later_with_the_same_id",
        f"{V}test_courier.py::test_only_what_is_wanted_is_sent_and_numbered",
        f"{V}test_courier.py::test_something_is_sent_again_on_demand",
        f"{V}test_courier.py::test_a_receiver_can_ask_to_be_left_alone",
        f"{V}test_courier.py::test_after_three_days_of_failures_it_is_switched_off_and_its_owner_mailed",
        f"{V}test_courier.py::test_a_receiver_that_is_gone_is_switched_off_at_once",
        f"{V}test_guarded_post.py::test_a_redirect_is_an_answer_like_any_other",
        f"{V}test_guarded_post.py::test_nobody_is_waited_for_for_long",
        f"{V}test_webhooks.py::test_what_changes_while_it_is_switched_off_is_not_sent_and_what_waits_is",
    ),
    "Only https to port": (
        f"{V}test_webhooks.py::test_to_some_addresses_nothing_is_ever_sent",
        f"{V}test_addresses.py::test_what_is_not_public_is_never_dialled",
        f"{V}test_webhooks.py::test_somebody_has_so_many_webhooks_and_not_more",
        f"{V}test_courier.py::test_a_host_gets_so_much_in_an_hour_whoever_has_entered_it",
        f"{V}test_courier.py::test_the_deliveries_of_a_player_have_a_budget",
        f"{V}test_webhooks.py::test_whoever_changes_how_to_sign_in_switches_webhooks_off",
    ),
    "A game shows you only": (
        f"{P}test_hidden_information.py::test_only_the_sizes_of_other_hands_are_shown",
        f"{P}test_nonces.py::test_everybody_seated_may_bring_a_nonce_until_the_game_starts",
        f"{P}test_nonces.py::test_a_nonce_cannot_be_changed_but_brought_again",
        "service/game/test_shuffles.py::test_the_commitment_is_published_before_anybody_sits_down",
        "service/game/test_shuffles.py::test_the_nonce_of_a_player_who_leaves_or_is_removed_stays",
        "service/game/test_signed_heads.py::test_every_head_that_is_shown_is_signed",
        "service/game/test_record.py::test_the_record_discloses_the_whole_game",
    ),
    "Every signed-in player may talk": (
        f"{T}test_messages.py::test_talk_needs_a_sign_in",
        f"{T}test_read_marks.py::test_messages_of_others_are_new_until_they_are_read",
        f"{T}test_messages.py::test_every_script_and_emoji_is_kept_as_sent",
    ),
    "* `seats` is for the people": (
        f"{T}test_messages.py::test_those_at_the_table_talk_to_each_other",
        f"{T}test_messages.py::test_after_resigning_one_reads_only_older_messages_and_writes_nowhere",
        f"{T}test_messages.py::test_spectators_talk_among_themselves",
    ),
    "The host can hide messages": (
        f"{T}test_hidden_messages.py::test_the_host_hides_a_message_and_a_placeholder_stays",
        f"{T}test_mutes.py::test_a_muted_person_reads_and_plays_but_does_not_write",
        f"{T}test_reported_messages.py::test_the_operator_lists_and_closes_reports",
        f"{S}test_blocks.py::test_a_blocked_person_cannot_sit_down_at_the_blockers_table",
        f"{T}test_messages.py::test_the_talk_shows_what_the_rules_say_about_it",
    ),
    "`Accept-Language` selects": (
        f"{H}test_accept_language.py::test_only_words_differ",
        "service/views/test_words_for_the_reader.py::test_lines_speak_to_their_reader",
        f"{H}test_wrong_words.py::test_errors_are_in_the_language_of_the_caller",
    ),
    "Errors are `application/problem+json`": (
        "test_contract_style.py::test_problems_have_one_shape",
        f"{H}test_bad_paths_and_queries.py::test_unknown_paths_are_not_found",
        f"{H}test_bad_paths_and_queries.py::test_a_wrong_method_is_answered_with_the_allowed_ones",
        "service/serving/test_connections.py::test_what_is_too_long_gets_a_problem_document",
        "service/serving/test_connections.py::test_what_is_no_http_is_refused_and_ends_the_connection",
        f"{H}test_bad_bodies.py::test_malformed_json",
    ),
    "A request that got no answer": (
        f"{H}test_idempotency.py::test_a_repetition_gets_the_answer_from_before",
        f"{H}test_idempotency.py::test_another_body_with_the_same_key_is_refused",
        f"{H}test_idempotency.py::test_what_was_never_answered_is_not_done_again",
        f"{H}test_idempotency.py::test_a_refused_request_leaves_the_key_free",
        f"{H}test_idempotency.py::test_after_a_day_the_key_is_forgotten",
    ),
    "A body is a JSON object": (
        f"{H}test_bad_bodies.py::test_a_body_over_64_kib_is_refused",
        f"{H}test_bad_bodies.py::test_other_media_types_are_refused",
        f"{H}test_bad_bodies.py::test_unknown_members_are_refused",
        f"{H}test_bad_bodies.py::test_names_and_labels_are_lines_of_text",
        f"{H}test_every_operation.py::test_unknown_and_repeated_parameters_are_refused",
    ),
    "Some requests are limited": (
        f"{H}test_rate_limits.py::test_the_limits_are_promised_where_they_are_counted",
        f"{H}test_rate_limits.py::test_a_policy_says_the_whole_limit",
        f"{H}test_rate_limits.py::test_players_at_one_address_have_limits_of_their_own",
    ),
    "* `players`:": ("test_contract.py::test_the_document_lists_the_limits",),
    "The counts that protect others": (
        f"{H}test_attempt_limits.py::test_a_network_makes_sixty_guests_an_hour_across_processes",
        f"{H}test_attempt_limits.py::test_a_player_opens_120_tables_an_hour_across_processes",
        f"{H}test_attempt_limits.py::test_five_mails_an_hour_go_to_one_address_from_one_network",
        f"{H}test_attempt_limits.py::test_a_player_invites_ten_addresses_a_day_and_repeats_do_not_count",
    ),
    "After 5 wrong passwords": (
        f"{S}test_wrong_passwords.py::test_after_five_wrong_passwords_each_further_one_waits_longer",
        f"{S}test_wrong_passwords.py::test_many_networks_together_are_slowed_down_too",
        f"{S}test_wrong_passwords.py::test_one_network_has_thirty_tries_at_all_names",
        f"{S}test_wrong_passwords.py::test_strangers_keep_nobody_out_whose_browser_is_known",
        f"{S}test_wrong_passwords.py::test_browsers_that_are_known_are_slowed_down_together",
    ),
    "Mails have budgets": (
        "service/delivery/test_budgets.py::test_what_is_over_a_budget_waits_and_is_sent_later",
        "service/delivery/test_budgets.py::test_every_spelling_of_an_address_counts",
        "service/delivery/test_budgets.py::test_the_documentation_has_every_budget",
    ),
    "Should an operation ever": (
        f"{H}test_deprecations.py::test_what_ends_is_announced_in_its_answers",
        f"{H}test_deprecations.py::test_an_end_is_announced_half_a_year_before",
        f"{H}test_deprecations.py::test_what_does_not_end_announces_nothing",
    ),
    "Fields, parameters, operations": (
        "test_api_changes.py::test_no_client_of_the_last_release_breaks",
        "test_api_changes.py::test_what_breaks_clients_is_found",
        "test_open_sets.py::test_a_plain_client_reads_what_is_added",
        "test_open_sets.py::test_every_refusal_may_be_of_a_new_type",
        "service/views/test_versions_side_by_side.py::test_a_running_game_is_played_by_its_own_version_to_the_end",
    ),
}
"""By the first words of a paragraph or a list, the tests that hold what it says."""


def paragraphs() -> list[str]:
    """The paragraphs and lists of the introduction, without headings."""
    text = re.sub(r"(?m)^#+ .*\n", "\n", document()["info"]["description"])
    split = re.split(r"\n\s*\n|\n(?=\* |1\. )(?<!;\n)", text)
    found = [" ".join(each.split()) for each in split]
    return [each for each in found if each]


def test_every_paragraph_of_the_introduction_is_held_by_tests():
    said = [each for each in paragraphs() if not each.startswith("* ")]
    assert [each[:60] for each in said if not any(map(each.startswith, HELD))] == []
    kept = [words for words in HELD if not any(each.startswith(words) for each in paragraphs())]
    assert kept == []


@functools.cache
def names_in(name: str) -> set[str]:
    """The names of the tests in a file."""
    return set(re.findall(r"(?m)^def (test_\w+)", (ROOT / name).read_text(encoding="utf-8")))


@pytest.mark.parametrize("words", HELD)
def test_the_tests_that_hold_a_paragraph_exist(words):
    for each in HELD[words]:
        name, _, test = each.partition("::")
        assert test in names_in(name), each


OF_OPERATIONS = tomllib.loads((ROOT / "operations_prose.toml").read_text(encoding="utf-8"))


def sentences(description: str) -> list[str]:
    """The sentences of a description."""
    return re.split(r"(?<=[.:])\s+(?=[A-Z`0-9])", " ".join(description.split()))


def test_every_sentence_of_an_operation_has_its_tests():
    said = {each.name: sentences(each.spec["description"]) for each in operations()}
    assert said.keys() == OF_OPERATIONS.keys()
    counted = {name: len(entries) for name, entries in OF_OPERATIONS.items()}
    assert counted == {name: len(each) for name, each in said.items()}


def test_the_tests_that_hold_a_sentence_exist():
    defined = {name for file in ROOT.rglob("test_*.py") for name in names_in(str(file))}
    named = " ".join(
        each for entries in OF_OPERATIONS.values() for each in entries if not each.startswith("(")
    ).split()
    assert len(named) > 200
    assert [each for each in named if f"test_{each}" not in defined] == []
